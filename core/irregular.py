"""English words whose forms no rule of a stemmer joins: bought and buy, children and child."""

from __future__ import annotations

from memgardend.core.fingerprint import fingerprint

_FORMS = """
arise arose arisen / awake awoke awoken / beat beaten / become became / begin began begun / bend bent / bind bound
blow blew blown / break broke broken / bring brought / build built / burn burnt / buy bought / catch caught
choose chose chosen / cling clung / come came / creep crept / deal dealt / dig dug / draw drew drawn
dream dreamt / drink drank drunk / drive drove driven / eat ate eaten / fall fell fallen / feed fed / feel felt
fight fought / find found / flee fled / fly flew flown / forbid forbade forbidden / forget forgot forgotten
forgive forgave forgiven / freeze froze frozen / get got gotten / give gave given / go went gone
grow grew grown / hang hung / hear heard / hide hid hidden / hold held / keep kept / know knew known / lay laid
learn learnt / leave left / lend lent / lose lost / make made / mean meant / meet met / pay paid
ride rode ridden / ring rang rung / rise risen / run ran / say said / see saw seen / seek sought / sell sold
send sent / shake shook shaken / shine shone / shoot shot / show shown / shrink shrank shrunk / sing sang sung
sink sank sunk / sit sat / sleep slept / slide slid / speak spoke spoken / spend spent / spin spun
spring sprang sprung / stand stood / steal stole stolen / stick stuck / sting stung / strike struck
swear swore sworn / sweep swept / swim swam swum / swing swung / take took taken / teach taught
tear tore torn / tell told / think thought / throw threw thrown / understand understood / wake woke woken
wear wore worn / weave wove woven / win won / write wrote written
child children / foot feet / goose geese / knife knives / man men / mouse mice / person people / shelf shelves
tooth teeth / wife wives / woman women
"""

IRREGULAR_FORMS = {
    form: base
    for base, *forms in map(str.split, _FORMS.strip().replace("\n", "/").split("/"))
    for form in forms
}
"""Form -> the word that it is one of; our own list. A question asks `did … buy`, and who answers `bought`.

Left out is what is more often a word of its own, above all where people write of machines: bit, led, lives, rose.
"""

IRREGULAR_VERSION = fingerprint(_FORMS)

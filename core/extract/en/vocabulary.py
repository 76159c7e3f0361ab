"""English word lists, most of them as alternatives of a verbose pattern."""

from __future__ import annotations

ORDERS = r"""
add|adjust|allow|apply|archive|ask|build|bump|calculate|call|change|check|clean|close|commit|compare|convert|copy|create
|cut|debug|delete|deploy|describe|disable|do|document|download|draw|drop|edit|enable|explain|export|extract|fetch|fill
|find|fix|flash|format|generate|get|give|go|help|hide|implement|import|improve|include|increase|insert|install|keep|kill
|leave|let|list|load|log|look|lower|make|merge|move|open|optimi[sz]e|paste|ping|plot|print|pull|push|put|raise|read|rebase
|reduce|refactor|release|reload|remind|remove|rename|reorder|replace|reply|report|rerun|reset|restart|restore|retry|revert
|rewrite|roll|run|save|scan|scrap|search|select|send|set|show|shorten|shrink|simplify|skip|sort|spawn|split|start|stop
|summari[sz]e|swap|switch|take|tell|test|translate|trim|try|turn|undo|update|upgrade|upload|use|validate|verify|wait|wrap
|write"""

# A statement in one of these verbs says how things are, not what happened.
STATES = r"""
is|are|isn't|aren't|was|were|runs?|lives?|lies|listens?|uses?|has|have|holds?|takes?|needs?|expires?|ends?|starts?
|begins?|opens?|closes?|belongs?|points?|goes|go|supports?|requires?|depends?|contains?|costs?|lasts?|sits?|reads?|writes?
|connects?|allows?|accepts?|rejects?|returns?|renews?|covers?|targets?|works?|stores?|serves?|owns?|equals?|means|refers?
|maps?|handles?|rotates?|refresh(?:es)?|keeps?|gives?|gets?|comes?|consists?|speaks?|sends?|exposes?|forwards?|deploys?
|deliver|delivers|ships?|wants?|lives|cannot|can't|must|may\ not|don't|doesn't|do\ not|does\ not"""

# Words of a moment: how something looks, feels or goes just now.
PASSING = r"""
now|currently|today|again|still|just|broken|blank|empty|failing|fails|slow|fast|quick|green|red|down|up|ready|wrong|weird
|strange|fine|good|great|nice|better|best|worse|bad|ok|okay|too|so|very|huge|big|crazy|insane|funny|floaty|hanging|stuck
|missing|gone|back|done|finished|works|working|tired|sorry|sure|happy|interesting|cool|ugly|beautiful|clear|unclear|confusing
|already|almost|nearly|right|awesome|amazing|lovely|wonderful|special|fun|tough|hard|easy|boring|annoying|terrible|perfect
|important|proud|glad"""

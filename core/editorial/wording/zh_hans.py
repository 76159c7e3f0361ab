"""The words of a Chinese garden (simplified characters)."""

from __future__ import annotations

from memgardend.core.editorial.wording.locale_words import Bucket, LocaleWords, Reask

CHINESE = LocaleWords(
    locale="zh-Hans",
    language="Simplified Chinese (简体中文)",
    buckets={
        Bucket.WORK: "工作",
        Bucket.GROWTH: "目标与成长",
        Bucket.FAMILY: "家庭",
        Bucket.FRIENDS: "朋友",
        Bucket.PETS: "宠物",
        Bucket.BOND: "我们的关系",
        Bucket.FEELINGS: "情绪与安抚",
        Bucket.PREFERENCES: "偏好与边界",
        Bucket.PERSONALITY: "个性与价值观",
        Bucket.HEALTH: "健康",
        Bucket.INTERESTS: "爱好",
        Bucket.MONEY: "金钱",
        Bucket.FOOD: "饮食",
        Bucket.PLACES: "地点与旅行",
    },
    short_forms={
        "目标": Bucket.GROWTH,
        "成长": Bucket.GROWTH,
        "情绪": Bucket.FEELINGS,
        "安抚": Bucket.FEELINGS,
        "偏好": Bucket.PREFERENCES,
        "边界": Bucket.PREFERENCES,
        "个性": Bucket.PERSONALITY,
        "性格": Bucket.PERSONALITY,
        "价值观": Bucket.PERSONALITY,
        "兴趣": Bucket.INTERESTS,
        "地点": Bucket.PLACES,
        "旅行": Bucket.PLACES,
    },
    no_bucket="未分类",
    separator="、",
    the_person="对方",
    the_assistant="我",
    one_off="昨天吃了火锅",
    lasting="不能吃辣，一吃就胃疼",
    partial_date="五月",
    own_words="小美说老厨房要保持原样",
    example_summary="小美为了水族馆的工作搬到了里斯本",
    example_content=(
        "小美五月带着她的狗布鲁诺搬到里斯本，是为了水族馆的那份工作。她在格拉萨区租了两间房，说至少会住三年。"
    ),
    example_cues=("里斯本", "五月搬家", "水族馆的工作", "布鲁诺", "格拉萨"),
    example_thread="搬到里斯本",
    reasks={
        Reask.TRUNCATED: (
            "上一次的回答没有写完就断了。请重新回答，写短一些："
            "卡片少一点，文字短一点，JSON 对象要完整。"
        ),
        Reask.FORMAT: (
            "上一次的回答无法读取（{{problem}}）。请重新回答，只给出那一个 JSON 对象，不要别的文字。"
            '文字里的引号写成 \\"。'
        ),
        Reask.CONTENT: (
            "上一次的回答里有不能保存的文字：{{problem}}。请重新给出全部卡片。每个 summary 和 content "
            "都要写出真实的内容：不要留空位，不要照抄模板，不要出现编号或 JSON，"
            "也不要写哪张卡片被替换；日期要么完整，要么写 null。"
        ),
        Reask.TOO_MANY: (
            "上一次的回答有 {{found}} 张卡片，最多只能保留 {{allowed}} 张。请选出最不该忘的 {{allowed}} 张，"
            "把属于同一件事的内容并进去，其余的舍去，然后只用这些卡片重新回答。"
        ),
        Reask.TARGETS: (
            "上一次的回答指向了现有卡片列表里没有的卡片，或者该指明却没有指明（{{problem}}）。请重新给出全部卡片。"
            "`merge` 和 `supersede` 的 `target_id` 必须照抄列表里的编号；没有合适的，就用 `add`。"
        ),
        Reask.FEEDBACK: "应用读过上一次的回答后退了回来：{{problem}}。请改好，重新给出全部卡片。",
        Reask.DREAM_CONTENT: (
            "上一次的回答里有不能保存的文字：{{problem}}。请重新给出 `consolidations` 的全部条目。"
            "每个 summary 和 content 都要写出真实的内容：不要留空位，不要照抄模板，不要出现编号或 JSON，也不要写哪些卡片被合并或替换。"
        ),
        Reask.DREAM_TARGETS: (
            "上一次的回答没有一条可以照做：所指的卡片没有显示，没有完整显示，或者已经在另一条里用过。请重新回答，"
            "编号要照抄完整显示的卡片标题，每张卡片只放进一条；如果没有卡片需要改动，就给出空列表。"
        ),
    },
)

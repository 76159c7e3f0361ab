"""The one spelling that the Chinese patterns know: simplified characters and half-width punctuation."""

from __future__ import annotations

# Simplified and traditional, only for characters of the patterns; the text that is kept is never respelled.
_TRADITIONAL = """
决決 们們 个個 这這 为為 务務 总總 时時 从從 会會 来來 对對 应應 该該 须須
说說 没沒 还還 后後 过過 别別 习習 惯慣 欢歡 记記 话話 选選 换換 项項 准準
绝絕 远遠 统統 请請 题題 点點 号號 周週 开開 关關 监監 听聽 写寫 让讓 帮幫
给給 将將 学學 训訓 严嚴 采採 弃棄 迁遷 续續 进進 测測 试試 结結 论論 认認
责責 负負 简簡 体體 实實 错錯 谁誰 吗嗎 么麼 样樣 几幾 据據 觉覺 劝勸 议議
讲講 网網 闻聞 师師 领領 导導 确確 况況 纠糾 难難 问問 讨討 厌厭 爱愛 无無
许許 达達 约約 则則 当當 码碼 报報 库庫 称稱 门門 备備 办辦 补補 发發 终終
头頭 单單 两兩 万萬 东東 车車 长長 张張 图圖 尽儘 仅僅 现現 断斷 变變 级級
线線 边邊 设設 处處 评評 审審 档檔 动動 参參 户戶 联聯 层層 数數 兰蘭 术術
顺順 脑腦 员員 团團 队隊 释釋 译譯 标標 邮郵 输輸 离離 页頁 钱錢 罗羅 钟鐘
岁歲 礼禮 节節 额額 价價 区區 乐樂 妈媽 爷爺 儿兒 亲親 龙龍 证證 订訂 协協
拥擁 传傳 转轉 众眾 围圍 优優 乱亂 祸禍 坏壞 验驗 诉訴 与與 响響 间間 隐隱
闪閃 丢丟
"""
_SIMPLE = str.maketrans(
    {pair[1]: pair[0] for pair in _TRADITIONAL.split()}
    | {chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
    | {"\u3000": " ", "’": "'"}
)


def simplified(text: str) -> str:
    """The text in that spelling, character for character, so that places stay what they were."""
    return text.translate(_SIMPLE)

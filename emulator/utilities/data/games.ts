/** Games that a shop gives away in turn; all invented. */
export const games: ReadonlyArray<{ title: string; description: string; seller: string; price: number }> = [
	{ title: '灯塔守望者', description: '在风暴来临前点亮每一座灯塔。', seller: '海角工作室', price: 68 },
	{ title: '像素农场物语', description: '种田、钓鱼、结识邻居，过上慢生活。', seller: '小麦游戏', price: 48 },
	{ title: '星环竞速', description: '在行星环上飞驰的竞速游戏。', seller: '轨道互动', price: 98 },
	{ title: '纸上谜城', description: '折叠纸片，找到通往出口的路。', seller: '白纸社', price: 36 },
	{ title: '深海回声', description: '驾驶潜艇，探索沉没的城市。', seller: '蓝鲸互娱', price: 88 },
	{ title: '骑士与厨师', description: '白天冒险，晚上经营餐馆。', seller: '铜锅工作室', price: 52 },
	{ title: '雪原列车', description: '在极寒中驾驶最后一班列车。', seller: '北纬六十度', price: 118 },
	{ title: '迷雾侦探社', description: '收集线索，解开旧城的连环谜案。', seller: '雾灯文化', price: 72 },
];

/** Olympic Games, latest first. */
export const olympicGames: ReadonlyArray<{ id: string; name: string; start: string; end: string }> = [
	{ id: 'milano-cortina-2026', name: '2026 年米兰-科尔蒂纳冬奥会', start: '2026-02-06', end: '2026-02-22' },
	{ id: 'paris-2024', name: '2024 年巴黎奥运会', start: '2024-07-26', end: '2024-08-11' },
	{ id: 'beijing-2022', name: '2022 年北京冬奥会', start: '2022-02-04', end: '2022-02-20' },
	{ id: 'tokyo-2020', name: '2020 年东京奥运会', start: '2021-07-23', end: '2021-08-08' },
];

/** Teams in the medal tables. */
export const olympicTeams: ReadonlyArray<readonly [code: string, country: string]> = [
	['CHN', '中国'],
	['USA', '美国'],
	['NOR', '挪威'],
	['GER', '德国'],
	['JPN', '日本'],
	['FRA', '法国'],
	['ITA', '意大利'],
	['NED', '荷兰'],
	['GBR', '英国'],
	['AUS', '澳大利亚'],
	['KOR', '韩国'],
	['CAN', '加拿大'],
	['SWE', '瑞典'],
	['SUI', '瑞士'],
	['AUT', '奥地利'],
];

/** Songs of the lyrics endpoint: old poems in the public domain. */
export const songs: ReadonlyArray<{ title: string; artist: string; lines: readonly string[] }> = [
	{
		title: '静夜思',
		artist: '李白',
		lines: ['床前明月光', '疑是地上霜', '举头望明月', '低头思故乡'],
	},
	{
		title: '春晓',
		artist: '孟浩然',
		lines: ['春眠不觉晓', '处处闻啼鸟', '夜来风雨声', '花落知多少'],
	},
	{
		title: '相思',
		artist: '王维',
		lines: ['红豆生南国', '春来发几枝', '愿君多采撷', '此物最相思'],
	},
	{
		title: '登鹳雀楼',
		artist: '王之涣',
		lines: ['白日依山尽', '黄河入海流', '欲穷千里目', '更上一层楼'],
	},
	{
		title: '江雪',
		artist: '柳宗元',
		lines: ['千山鸟飞绝', '万径人踪灭', '孤舟蓑笠翁', '独钓寒江雪'],
	},
	{
		title: '水调歌头',
		artist: '苏轼',
		lines: ['明月几时有', '把酒问青天', '不知天上宫阙', '今夕是何年', '但愿人长久', '千里共婵娟'],
	},
	{
		title: '虞美人',
		artist: '李煜',
		lines: ['春花秋月何时了', '往事知多少', '小楼昨夜又东风', '故国不堪回首月明中'],
	},
	{
		title: '游子吟',
		artist: '孟郊',
		lines: ['慈母手中线', '游子身上衣', '临行密密缝', '意恐迟迟归', '谁言寸草心', '报得三春晖'],
	},
];

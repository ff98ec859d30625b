/** A language of the translation endpoint: its code, its Chinese name and the letter under which it is listed. */
export interface Language {
	code: string;
	label: string;
	alphabet: string;
}

const labelsByLetter: Record<string, Record<string, string>> = {
	A: {
		sq: '阿尔巴尼亚语',
		ga: '爱尔兰语',
		et: '爱沙尼亚语',
		ar: '阿拉伯语',
		am: '阿姆哈拉语',
		az: '阿塞拜疆语',
	},
	B: {
		be: '白俄罗斯语',
		bg: '保加利亚语',
		eu: '巴斯克语',
		is: '冰岛语',
		pl: '波兰语',
		'bs-Latn': '波斯尼亚语(拉丁语)',
		fa: '波斯语',
	},
	D: { da: '丹麦语', de: '德语' },
	E: { ru: '俄语' },
	F: { fr: '法语', tl: '菲律宾语', fi: '芬兰语', fy: '弗里斯兰语' },
	G: { km: '高棉语', ka: '格鲁吉亚语', gu: '古吉拉特语' },
	H: { ht: '海地语', ko: '韩语', ha: '豪萨语', kk: '哈萨克语', nl: '荷兰语' },
	J: { gl: '加利西亚语', ca: '加泰罗尼亚语', cs: '捷克语', ky: '吉尔吉斯斯坦语' },
	K: {
		kn: '卡纳达语',
		tlh: '克林贡语',
		hr: '克罗地亚语',
		otq: '克洛塔罗乙巳语',
		co: '科西嘉语',
		ku: '库尔德语',
	},
	L: { la: '拉丁语', lo: '老挝语', lv: '拉脱维亚语', lt: '立陶宛语', ro: '罗马尼亚语', lb: '卢森堡语' },
	M: {
		mg: '马尔加什语',
		mt: '马耳他语',
		mr: '马拉地语',
		ms: '马来语',
		ml: '马拉雅拉姆语',
		mi: '毛利语',
		mk: '马其顿语',
		mn: '蒙古语',
		bn: '孟加拉语',
		my: '缅甸语',
		mww: '苗族昂山土语',
		hmn: '苗族语',
	},
	N: { xh: '南非科萨语', zu: '南非祖鲁语', ne: '尼泊尔语', no: '挪威语' },
	P: { pa: '旁遮普语', ps: '普什图语', pt: '葡萄牙语' },
	Q: { ny: '齐切瓦语' },
	R: { ja: '日语', sv: '瑞典语' },
	S: {
		'sr-Latn': '塞尔维亚语(拉丁语)',
		'sr-Cyrl': '塞尔维亚语(西里尔)',
		st: '塞索托语',
		sm: '萨摩亚语',
		si: '僧伽罗语',
		eo: '世界语',
		sk: '斯洛伐克语',
		sl: '斯洛文尼亚语',
		sw: '斯瓦希里语',
		gd: '苏格兰盖尔语',
		so: '索马里语',
		ceb: '宿务语',
	},
	T: { te: '泰卢固语', ta: '泰米尔语', th: '泰语', tg: '塔吉克语', tr: '土耳其语' },
	W: { cy: '威尔士语', 'zh-lzh': '文言文', ur: '乌尔都语', uk: '乌克兰语', uz: '乌兹别克语' },
	X: {
		haw: '夏威夷语',
		es: '西班牙语',
		he: '希伯来语',
		el: '希腊语',
		sd: '信德语',
		hu: '匈牙利语',
		sn: '修纳语',
	},
	Y: {
		hy: '亚美尼亚语',
		ig: '伊博语',
		it: '意大利语',
		yi: '意第绪语',
		hi: '印地语',
		id: '印度尼西亚语',
		en: '英语',
		su: '印尼巽他语',
		jw: '印尼爪哇语',
		yua: '尤卡坦玛雅语',
		yo: '约鲁巴语',
		vi: '越南语',
	},
	Z: { 'zh-CHS': '中文', 'zh-CHT': '中文(繁体)' },
};

/** The languages that `fanyi` supports, sorted by letter. */
export const languages: readonly Language[] = Object.entries(labelsByLetter).flatMap(([alphabet, labels]) =>
	Object.entries(labels).map(([code, label]) => ({ code, label, alphabet })),
);

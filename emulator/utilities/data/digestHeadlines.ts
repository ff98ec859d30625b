/** A headline of the daily digest in two languages. */
export interface Headline {
	/** `{low-high}` becomes a number that changes daily. */
	chinese: string;
	/** The same in English, with the numbers of the Chinese headline in their order. */
	english: (...numbers: number[]) => string;
}

const grouped = (count: number) => count.toLocaleString('en-US');
const times = (count: number) => ['never', 'once', 'twice'][count] ?? `${count} times`;

/** Headlines of the daily digest; all events are invented. */
export const digestHeadlines: readonly Headline[] = [
	{
		chinese: '中央气象台发布大风蓝色预警，{3-9} 省份部分地区阵风可达 8 级',
		english: (provinces) =>
			`A blue gale warning is in force, with gusts of force 8 in parts of ${provinces} provinces`,
	},
	{
		chinese: '今年第 {4-22} 号台风生成，预计 {2-5} 天后影响东南沿海',
		english: (number, days) =>
			`Typhoon number ${number} of the year has formed and may reach the south-east coast in ${days} days`,
	},
	{
		chinese: '全国铁路今日预计发送旅客 {820-1850} 万人次，加开列车 {210-980} 列',
		english: (passengers, trains) =>
			`Railways expect ${passengers / 100} million passengers today and run ${trains} extra trains`,
	},
	{
		chinese: '国家统计局：上月居民消费价格同比上涨 0.{1-9}%，环比持平',
		english: (percent) =>
			`Consumer prices rose by 0.${percent}% last month from a year earlier, and did not change from the month before`,
	},
	{
		chinese: '国内成品油价格今日 24 时调整，每吨变动 {50-190} 元',
		english: (yuan) => `Fuel prices change by ${yuan} yuan per tonne at midnight`,
	},
	{
		chinese: '多地公积金新政落地，最高贷款额度提高 {5-30} 万元',
		english: (amount) =>
			`New housing fund rules in several regions raise the maximum loan by ${amount}0,000 yuan`,
	},
	{
		chinese: '我国科研团队研制出新型固态电池，能量密度提升 {12-48}%',
		english: (percent) => `Researchers develop a solid-state battery with ${percent}% more energy density`,
	},
	{
		chinese: '第 {6-19} 批国家级智能制造示范项目公布，共 {98-312} 个',
		english: (group, projects) =>
			`Group ${group} of the national smart manufacturing projects is announced, with ${projects} projects`,
	},
	{
		chinese: '某市地铁 {2-18} 号线开通运营，全长 {18-62} 公里',
		english: (number, length) =>
			`Metro line number ${number} opens in one city, with a length of ${length} kilometres`,
	},
	{
		chinese: '教育部：暑期将组织 {30-90} 万名学生参加社会实践',
		english: (students) =>
			`The Ministry of Education sends ${students}0,000 students into community work this summer`,
	},
	{
		chinese: '国家图书馆新增 {3-9} 万种数字古籍，免费向公众开放',
		english: (books) =>
			`The National Library adds ${books}0,000 digitised historical books, free for everyone`,
	},
	{
		chinese: '考古新发现：黄河流域出土 {120-680} 件新石器时代文物',
		english: (objects) => `Archaeologists find ${objects} Neolithic objects in the Yellow River basin`,
	},
	{
		chinese: '全国新能源汽车保有量突破 {2300-4800} 万辆',
		english: (vehicles) => `The number of new-energy vehicles in China passes ${vehicles / 100} million`,
	},
	{
		chinese: '快递业务量提前 {8-36} 天突破千亿件',
		english: (days) => `Parcel deliveries pass 100 billion, ${days} days earlier than last year`,
	},
	{
		chinese: '医保目录调整：新增 {38-121} 种药品，平均降价 {41-63}%',
		english: (medicines, percent) =>
			`Health insurance covers ${medicines} more medicines, with prices cut by ${percent}% on average`,
	},
	{
		chinese: '长江流域进入汛期，水利部启动 {3-4} 级应急响应',
		english: (level) => `The Yangtze enters its flood season, and a level ${level} emergency response begins`,
	},
	{
		chinese: '今年夏粮再获丰收，总产量同比增长 {1-4}.{1-9}%',
		english: (percent, tenths) => `The summer grain harvest grows by ${percent}.${tenths}% over last year`,
	},
	{
		chinese: '国产大型邮轮完成第 {30-160} 个航次，累计接待旅客 {20-90} 万人次',
		english: (voyage, passengers) =>
			`A cruise ship built in China completes voyage number ${voyage}, with ${passengers}0,000 passengers so far`,
	},
	{
		chinese: '空间站航天员完成第 {3-9} 次出舱活动，历时 {5-8} 小时',
		english: (walk, hours) =>
			`Astronauts on the space station complete spacewalk number ${walk} in ${hours} hours`,
	},
	{
		chinese: '民航局：下一航季每周新增国际航班 {120-560} 班',
		english: (flights) => `Airlines add ${flights} international flights a week next season`,
	},
	{
		chinese: '多个城市推出夜间公交线路，末班车延长至 {23-24} 时',
		english: (hour) =>
			`Several cities introduce night buses, with the last departure at ${hour === 24 ? 'midnight' : '11 p.m.'}`,
	},
	{
		chinese: '全国博物馆单日接待观众 {310-780} 万人次，创同期新高',
		english: (visitors) =>
			`Museums count ${visitors / 100} million visitors in one day, a record for the season`,
	},
	{
		chinese: '市场监管总局抽检 {2600-9800} 批次食品，合格率 9{7-9}.{1-9}%',
		english: (batches, percent, tenths) =>
			`Regulators test ${grouped(batches)} batches of food, and 9${percent}.${tenths}% pass`,
	},
	{
		chinese: '首条跨海高铁隧道贯通，设计时速 {250-350} 公里',
		english: (speed) =>
			`The first undersea tunnel for high-speed trains is cut through, for ${speed} kilometres per hour`,
	},
	{
		chinese: '海南离岛免税购物金额日均突破 {1-3} 亿元',
		english: (amount) => `Duty-free sales on Hainan pass ${amount}00 million yuan a day`,
	},
	{
		chinese: '某地野生朱鹮种群数量增至 {320-780} 只',
		english: (birds) => `The number of wild crested ibises in one region grows to ${birds}`,
	},
	{
		chinese: '人工智能大模型备案数量达到 {190-520} 款',
		english: (models) => `The number of registered large AI models reaches ${models}`,
	},
	{
		chinese: '国家防疫部门提醒：进入流感季，建议 {60-65} 岁以上人群接种疫苗',
		english: (age) =>
			`Health authorities recommend vaccination over the age of ${age} as the flu season begins`,
	},
	{
		chinese: '沪指收涨 0.{10-98}%，两市成交额 {7800-14900} 亿元',
		english: (hundredths, turnover) =>
			`The Shanghai index closes 0.${hundredths}% higher, with a turnover of ${grouped(turnover / 10)} billion yuan`,
	},
	{
		chinese: '人民币对美元中间价上调 {21-188} 个基点',
		english: (points) => `The reference rate of the yuan against the dollar rises by ${points} basis points`,
	},
	{
		chinese: '国际油价震荡，布伦特原油报每桶 {68-92}.{10-98} 美元',
		english: (dollars, cents) =>
			`Oil prices fluctuate, with Brent crude at ${dollars}.${cents} dollars a barrel`,
	},
	{
		chinese: '国际金价刷新纪录，现货黄金每盎司上涨 {9-48} 美元',
		english: (dollars) => `Gold sets a record and gains ${dollars} dollars an ounce`,
	},
	{
		chinese: '日本北部海域发生 {5-6}.{1-9} 级地震，未引发海啸',
		english: (magnitude, tenths) =>
			`An earthquake of magnitude ${magnitude}.${tenths} off northern Japan causes no tsunami`,
	},
	{
		chinese: '欧洲多国迎来热浪，最高气温达 {37-43} 摄氏度',
		english: (degrees) => `A heat wave brings up to ${degrees} degrees Celsius to Europe`,
	},
	{
		chinese: '欧盟就人工智能法案细则征求意见，为期 {6-12} 周',
		english: (weeks) => `The EU opens a consultation of ${weeks} weeks on the details of its AI Act`,
	},
	{
		chinese: '南美国家遭遇强降雨，{1-9} 万人紧急转移',
		english: (people) => `Heavy rain in South America drives ${people}0,000 people from their homes`,
	},
	{
		chinese: '联合国报告：全球可再生能源装机增长 {11-23}%',
		english: (percent) =>
			`Renewable energy capacity grew by ${percent}% worldwide, says a report of the United Nations`,
	},
	{
		chinese: '非洲某国疟疾病例下降 {18-46}%，疫苗接种见成效',
		english: (percent) =>
			`Malaria cases in one African country fall by ${percent}% as vaccination takes effect`,
	},
	{
		chinese: '国际空间机构发现一颗距地球 {11-96} 光年的岩石行星',
		english: (distance) => `Astronomers find a rocky planet ${distance} light years from Earth`,
	},
	{
		chinese: '美联储维持利率不变，年内仍有 {1-3} 次调整可能',
		english: (changes) =>
			`The US Federal Reserve keeps its rates, and may still change them ${times(changes)} this year`,
	},
	{
		chinese: '英国科学家研制出可降解塑料，{12-90} 天完全分解',
		english: (days) => `British scientists develop a plastic that decomposes completely in ${days} days`,
	},
	{
		chinese: '世界羽联公开赛：中国队收获 {2-5} 枚金牌',
		english: (medals) => `Chinese players win ${medals} gold medals at the badminton world open`,
	},
	{
		chinese: '全国田径锦标赛落幕，{1-4} 项全国纪录被刷新',
		english: (records) =>
			`The national athletics championships end, and national records fall ${times(records)}`,
	},
	{
		chinese: '国内油电混合客机完成第 {2-12} 次试飞',
		english: (flight) => `A hybrid airliner made in China completes test flight number ${flight}`,
	},
];

/** An encyclopedia entry. */
export interface Entry {
	title: string;
	aliases: readonly string[];
	description: string;
	abstract: string;
	hasOther: boolean;
}

const entry = (
	title: string,
	aliases: readonly string[],
	description: string,
	abstract: string,
	hasOther = false,
): Entry => ({ title, aliases, description, abstract, hasOther });

const entries: readonly Entry[] = [
	entry(
		'人工智能',
		['AI', 'artificial intelligence'],
		'计算机科学的一个分支',
		'人工智能（Artificial Intelligence，缩写为 AI）是研究、开发用于模拟、延伸和扩展人的智能的理论、方法、技术及应用系统的一门技术科学。',
		true,
	),
	entry(
		'机器学习',
		['machine learning', 'ML'],
		'人工智能的核心领域之一',
		'机器学习研究计算机怎样从数据中获取规律，并利用规律对未知数据进行预测。',
	),
	entry(
		'大语言模型',
		['LLM', 'large language model'],
		'自然语言处理模型',
		'大语言模型是在海量文本上训练的深度神经网络，能够理解和生成自然语言。',
	),
	entry(
		'量子计算',
		['quantum computing'],
		'计算模式',
		'量子计算是遵循量子力学规律调控量子信息单元进行计算的新型计算模式。',
	),
	entry(
		'万里长城',
		['长城', 'Great Wall'],
		'中国古代军事防御工程',
		'长城是中国古代的军事防御工事，始建于西周时期，现存主要为明代所修。',
		true,
	),
	entry(
		'故宫',
		['紫禁城', 'Forbidden City'],
		'北京明清皇家宫殿',
		'北京故宫是中国明清两代的皇家宫殿，旧称紫禁城，位于北京中轴线的中心。',
	),
	entry(
		'熊猫',
		['大熊猫', 'panda'],
		'熊科大熊猫属动物',
		'大熊猫是中国特有的哺乳动物，以竹子为主食，体色黑白相间。',
		true,
	),
	entry(
		'茶',
		['茶叶', 'tea'],
		'饮品',
		'茶是用茶树的叶子制成的饮品，起源于中国，按发酵程度分为绿茶、白茶、黄茶、青茶、红茶和黑茶。',
		true,
	),
	entry('太阳', ['sun'], '太阳系的中心天体', '太阳是太阳系的中心天体，占有太阳系总体质量的 99.86%。', true),
	entry('月球', ['月亮', 'moon'], '地球的天然卫星', '月球是围绕地球旋转的球形天体，也是地球唯一的天然卫星。'),
	entry(
		'地球',
		['earth'],
		'太阳系第三颗行星',
		'地球是太阳系由内及外的第三颗行星，也是目前已知唯一孕育生命的天体。',
		true,
	),
	entry(
		'李白',
		['Li Bai'],
		'唐代诗人',
		'李白（701 年－762 年），字太白，号青莲居士，唐代浪漫主义诗人，被后人誉为“诗仙”。',
		true,
	),
	entry(
		'红楼梦',
		['Dream of the Red Chamber'],
		'清代长篇小说',
		'《红楼梦》是中国古代章回体长篇小说，通行本共 120 回。',
		true,
	),
	entry(
		'围棋',
		['go', 'weiqi'],
		'策略型棋类游戏',
		'围棋起源于中国，使用方形格状棋盘和黑白二色圆形棋子对弈，棋盘纵横各十九条线。',
	),
	entry(
		'端午节',
		['Dragon Boat Festival'],
		'中国传统节日',
		'端午节在农历五月初五，习俗有赛龙舟、吃粽子、挂艾草等。',
	),
	entry(
		'中秋节',
		['Mid-Autumn Festival'],
		'中国传统节日',
		'中秋节在农历八月十五，人们赏月、吃月饼，寄托团圆之意。',
	),
	entry('长江', ['Yangtze'], '亚洲第一长河', '长江发源于青藏高原唐古拉山脉，全长约 6300 公里，注入东海。'),
	entry('黄河', ['Yellow River'], '中国第二长河', '黄河发源于巴颜喀拉山脉，全长约 5464 公里，注入渤海。'),
	entry(
		'互联网',
		['internet'],
		'全球性的计算机网络',
		'互联网是由网络与网络之间串连成的庞大网络，以一组通用的协议相连。',
	),
	entry(
		'编程语言',
		['programming language'],
		'计算机领域术语',
		'编程语言是用来定义计算机程序的形式语言，向计算机发出指令。',
	),
	entry(
		'自动化',
		['automation', 'n8n'],
		'技术术语',
		'自动化是指机器设备、系统或过程在没有人或较少人的直接参与下，按照要求自动完成预期目标的过程。',
		true,
	),
	entry(
		'光速',
		['speed of light'],
		'物理常数',
		'光速是指光波或电磁波在真空中的传播速率，数值为 299792458 米每秒。',
	),
	entry(
		'勾股定理',
		['Pythagorean theorem'],
		'几何定理',
		'勾股定理指直角三角形的两条直角边的平方和等于斜边的平方。',
	),
	entry(
		'北京',
		['北京市', 'Beijing'],
		'中华人民共和国首都',
		'北京是中华人民共和国的首都，也是全国的政治、文化、国际交往和科技创新中心。',
		true,
	),
	entry(
		'上海',
		['上海市', 'Shanghai'],
		'直辖市',
		'上海位于长江入海口，是中国的经济、金融、贸易和航运中心。',
		true,
	),
];

/** Finds the entry with this title or alias, ignoring case; undefined if there is none. */
export function findEntry(word: string): Entry | undefined {
	const wanted = word.trim().toLowerCase();
	return entries.find(({ title, aliases }) =>
		[title, ...aliases].some((name) => name.toLowerCase() === wanted),
	);
}

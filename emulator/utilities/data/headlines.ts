/** Closing thoughts of the daily digest. */
export const dailyTips: readonly string[] = [
	'把每一件小事做好，日子就会慢慢变好。',
	'走得慢没关系，别停下来就好。',
	'你认真生活的样子，本身就很动人。',
	'真正的平静，是在心中修篱种菊。',
	'与其羡慕远方，不如把脚下的路走稳。',
	'答案在路上，自由在风里。',
	'今天的努力，是给明天的自己一份礼物。',
	'保持热爱，奔赴山海。',
	'学会与自己和解，是成年人的必修课。',
	'凡是过往，皆为序章。',
	'心有所向，日复一日，必有精进。',
	'愿你眼里有光，心中有爱，脚下有路。',
];

/** Titles and details of the AI news. `{low-high}` becomes a number that changes daily. */
export const aiNews: ReadonlyArray<{ title: string; detail: string; source: string }> = [
	{
		title: '新一代开源语言模型发布',
		detail: '研究团队公开了参数量为 {7-120} B 的语言模型及其训练日志，在 {6-18} 项基准上超过上一代。',
		source: '模型周刊',
	},
	{
		title: '语音合成模型支持 {12-46} 种语言',
		detail: '新模型只需 {3-15} 秒样本即可复刻音色，并支持实时流式输出。',
		source: '声音实验室',
	},
	{
		title: '图像模型推理成本下降 {28-72}%',
		detail: '通过蒸馏与缓存技术，生成一张高清图片平均只需 {1-4} 秒。',
		source: '视觉前沿',
	},
	{
		title: '智能体平台上线工作流市场',
		detail: '首批收录 {120-860} 个工作流，覆盖客服、数据分析和内容创作。',
		source: '自动化日报',
	},
	{
		title: '医院试点 AI 影像辅助诊断',
		detail: '试点覆盖 {8-64} 家医院，平均阅片时间缩短 {21-55}%。',
		source: '健康科技',
	},
	{
		title: '教育部门发布生成式 AI 使用指引',
		detail: '指引共 {9-24} 条，强调过程评价与学术诚信。',
		source: '教育观察',
	},
	{
		title: '端侧模型登陆手机',
		detail: '{1-4} B 参数的模型可离线运行，每秒输出 {18-46} 个词。',
		source: '终端评测',
	},
	{
		title: '机器人完成家务连续操作测试',
		detail: '机器人在陌生厨房中连续完成 {6-19} 项任务，成功率 {71-94}%。',
		source: '具身智能',
	},
	{
		title: '代码助手支持整库理解',
		detail: '上下文窗口扩展到 {1-4} 百万词，缺陷定位准确率提升 {9-31}%。',
		source: '开发者社区',
	},
	{
		title: '气象大模型提前 {5-10} 天预测台风路径',
		detail: '平均误差缩小到 {62-148} 公里，已接入业务系统。',
		source: '地球科学',
	},
	{
		title: '翻译模型新增 {11-37} 种少数语言',
		detail: '语料由 {400-2600} 名志愿者共同整理，全部公开。',
		source: '语言与计算',
	},
	{
		title: '数据中心绿电比例升至 {38-82}%',
		detail: '液冷机柜数量达到 {1200-9800} 台，能耗指标降到 1.{10-25}。',
		source: '算力参考',
	},
];

/** Titles in the technology forum. */
export const techTitles: readonly string[] = [
	'Show: A terminal spreadsheet in 900 lines of C',
	'How we cut our build from 14 minutes to 50 seconds',
	'The quiet beauty of append-only logs',
	'Ask: What do you wish you had known before your first on-call?',
	'SQLite as a document store: ten years later',
	'Why our queue lost messages, and how we found out',
	'A visual guide to hash tables',
	'Writing a toy operating system over one winter',
	'The case for boring technology, revisited',
	'Reverse engineering a 1980s synthesizer',
	'Postgres indexes explained with index cards',
	'Show: I built a weather station from scrap parts',
	'Type systems for people in a hurry',
	'An interactive introduction to error-correcting codes',
	'Debugging a memory leak that only appeared on Sundays',
	'Rust in a hospital: three years of field notes',
	'How to read a research paper',
	'The economics of open source maintenance',
	'Show: A text adventure played over e-mail',
	'What happens when you press a key',
	'A field guide to flaky tests',
	'Compilers for humans',
	'Small language models on a ten-year-old laptop',
	'The lost art of the changelog',
	'Tracing a packet around the world',
	'Building a search engine for a village library',
	'Ask: How do you take notes?',
	'Backups that nobody tested',
	'Floating point, explained by a carpenter',
	'A calendar is harder than you think',
	'Show: A pocket synthesizer with an open design',
	'Twenty years of the same text editor',
	'Consistent hashing without tears',
	'What I learned from reading every commit',
	'Making maps from old train tickets',
	'Why time zones are political',
	'A kernel scheduler in a weekend',
	'The invention of the progress bar',
];

/** Events of the almanac; their years are made up per date. All events are invented. */
export const almanacEvents: ReadonlyArray<{ title: string; description: string; type: string }> = [
	{
		title: '一座跨江大桥建成通车',
		description: '大桥历时多年建成，连接了两岸的铁路与公路。',
		type: 'event',
	},
	{
		title: '第一份以白话文印行的地方报纸创刊',
		description: '该报每周一期，很快传遍周边各县。',
		type: 'event',
	},
	{ title: '一支科考队登上极地冰盖', description: '队员在冰盖上完成了为期数月的气象观测。', type: 'event' },
	{ title: '世界上最早的城市电车之一投入运营', description: '电车把码头与市场连在一起。', type: 'event' },
	{ title: '一颗新的小行星被观测确认', description: '天文台在连续观测数夜后公布了轨道。', type: 'event' },
	{ title: '国际电信会议通过新的通信公约', description: '各国代表就频率分配达成一致。', type: 'event' },
	{ title: '一座国家公园宣布成立', description: '公园保护了大片原始森林与珍稀动物。', type: 'event' },
	{ title: '首次无线电越洋通话成功', description: '两地工程师在短波上清晰交谈了数分钟。', type: 'event' },
	{ title: '一位数学家出生', description: '后以数论方面的工作闻名。', type: 'birth' },
	{ title: '一位作曲家出生', description: '代表作为多部交响乐与歌剧。', type: 'birth' },
	{ title: '一位探险家出生', description: '曾多次横渡大洋并绘制海图。', type: 'birth' },
	{ title: '一位诗人逝世', description: '留下诗集数卷，至今为人传诵。', type: 'death' },
	{ title: '一位天文学家逝世', description: '以编制星表著称。', type: 'death' },
	{ title: '一位画家逝世', description: '晚年作品影响了一代画坛。', type: 'death' },
];

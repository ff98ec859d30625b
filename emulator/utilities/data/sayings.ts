/** One-line quotes. */
export const quotes: readonly string[] = [
	'千里之行，始于足下。',
	'博观而约取，厚积而薄发。',
	'路漫漫其修远兮，吾将上下而求索。',
	'海内存知己，天涯若比邻。',
	'不畏浮云遮望眼，自缘身在最高层。',
	'山重水复疑无路，柳暗花明又一村。',
	'纸上得来终觉浅，绝知此事要躬行。',
	'问渠那得清如许，为有源头活水来。',
	'长风破浪会有时，直挂云帆济沧海。',
	'人生如逆旅，我亦是行人。',
	'学而不思则罔，思而不学则殆。',
	'三人行，必有我师焉。',
	'知之者不如好之者，好之者不如乐之者。',
	'采菊东篱下，悠然见南山。',
	'落霞与孤鹜齐飞，秋水共长天一色。',
	'沉舟侧畔千帆过，病树前头万木春。',
];

/** Fortunes: a name, a rank and tips to draw from. */
export const fortunes: ReadonlyArray<{ name: string; rank: number; tips: readonly string[] }> = [
	{ name: '大吉', rank: 10, tips: ['万事顺遂，大胆去做吧', '好消息正在路上', '今天的你闪闪发光'] },
	{ name: '中吉', rank: 8, tips: ['贵人就在身边', '适合开始新的计划', '付出会有回报'] },
	{ name: '吉', rank: 7, tips: ['微笑会带来好运', '适合与老友见面', '一杯热茶，心情正好'] },
	{ name: '小吉', rank: 5, tips: ['小小的幸运藏在细节里', '绕一点路会有惊喜', '适合整理房间'] },
	{ name: '末吉', rank: 3, tips: ['慢一点，稳一点', '多听少说', '早点休息'] },
	{ name: '凶', rank: -2, tips: ['出门带伞', '重要的文件多检查一遍', '避开争执'] },
	{ name: '末凶', rank: -5, tips: ['今天宜静不宜动', '忍一时风平浪静', '别忘了备份'] },
];

/** Short jokes. */
export const shortJokes: readonly string[] = [
	'面试官问我最大的缺点是什么，我说诚实。他说这不算缺点，我说我不在乎你怎么想。',
	'医生让我少熬夜，我说好，于是我改成了早睡——早上睡。',
	'减肥第一天，体重没变，体重秤的电池没电了。',
	'老板说要把公司当成家，于是我下班就不走了，他让我交房租。',
	'我问妈妈我小时候聪明吗，她说你小时候挺可爱的。',
	'闹钟响了五次，我终于起床，把它关了。',
	'同事问我周末干什么，我说充电。他以为我学习，其实我躺着。',
	'我有一个朋友什么都好，就是爱拆穿我说的“我有一个朋友”。',
	'程序员去买菜：买一斤苹果，如果有西瓜就买两个。他带回两斤苹果。',
	'健身教练问我想练哪里，我说练到能自己走回家。',
];

/** Dad jokes. */
export const dadJokes: readonly string[] = [
	'为什么数学书总是很忧郁？因为它有太多的问题。',
	'什么动物最容易迷路？麋鹿（迷路）。',
	'哪种水果最怕热？荔枝，因为它会“离枝”。',
	'为什么企鹅的肚子是白的？因为手短，洗澡只洗得到肚子。',
	'世界上最长的单词是什么？smiles，因为两个 s 之间有一英里。',
	'为什么稻草人得了奖？因为他在自己的领域里很出众。',
	'什么门永远关不上？足球门。',
	'小明为什么把手表扔出窗外？他想看看时间怎么飞。',
	'为什么电脑要看医生？它中了病毒。',
	'哪座山最不老实？黄山，因为它总是“谎”山。',
];

/** The book of answers, in Chinese and English. */
export const answers: ReadonlyArray<readonly [chinese: string, english: string]> = [
	['寻求更多的选择', 'Look for more options'],
	['毫无疑问', 'Without a doubt'],
	['再等一等', 'Wait a little longer'],
	['顺其自然', 'Let it take its course'],
	['现在就去做', 'Do it now'],
	['听听朋友的意见', 'Ask a friend'],
	['答案就在你心里', 'You already know the answer'],
	['换一个角度看', 'Look at it another way'],
	['不要勉强', 'Do not force it'],
	['值得冒险', 'It is worth the risk'],
	['先睡一觉', 'Sleep on it'],
	['相信你的直觉', 'Trust your instinct'],
	['时机未到', 'The time has not come'],
	['把它写下来', 'Write it down'],
	['当然可以', 'Of course'],
	['保持耐心', 'Be patient'],
];

/** Advertising copy for fried-chicken Thursday. */
export const fastfoodCopies: readonly string[] = [
	'在吗？今天是疯狂星期四，谁请我吃一份炸鸡，我愿意听你讲完上周的全部会议。',
	'人生若只如初见，星期四请我吃鸡翅可好？',
	'我本是天上的厨神，因贪吃被贬下凡，今日星期四，借我五十，他日还你满汉全席。',
	'老师说要学会分享，所以你的那份薯条，请分享给我。',
	'据说星期四吃炸鸡的人，星期五都会心情好。你愿意资助这项研究吗？',
	'昨夜梦见一只鸡，它说：星期四，记得来看我。我不忍心失约，只差路费。',
	'别人的星期四有约会，我的星期四有优惠，差别只在一份香辣鸡腿堡。',
	'如果爱我，请在星期四证明，用一桶原味鸡。',
];

/** Passionate texts; `{name}` is the person they address. */
export const passions: readonly string[] = [
	'{name}，今天的风是甜的，因为它刚刚路过你。',
	'我好想做{name}窗台上的那盆绿萝，不用说话，也能每天看见{name}。',
	'{name}发来一个句号，我研究了三个小时，认定那是一个圆满的暗示。',
	'如果{name}是月亮，我就做潮水，每天准时想你两次。',
	'医生问我哪里不舒服，我说：见不到{name}的地方都不舒服。',
	'我把{name}的名字写进日历，从此每一天都是节日。',
	'{name}一笑，我的待办清单就只剩下一项：再看一眼。',
	'别问我为什么发呆，我在脑内给{name}放烟花。',
];

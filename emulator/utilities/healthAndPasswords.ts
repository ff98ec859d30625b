import type { Call, Endpoint } from './endpoint';
import { healthReport } from './healthReport';
import { entropyOf, rate, strengthOfEntropy, timeToCrack } from './passwordStrength';
import { Dice } from './random';
import { type Answer, describe, Refusal } from './reply';
import { table } from './wording';

const refuse = (message: string) => new Refusal(400, 400, message);

function health({ parameters }: Call): Answer {
	const given = parameters.required('height', 'weight', 'gender', 'age');
	const height = Number.parseFloat(given.height);
	const weight = Number.parseFloat(given.weight);
	const age = Number.parseInt(given.age, 10);
	if ([height, weight, age].some(Number.isNaN)) {
		throw refuse('参数格式错误：height 和 weight 必须是数字，age 必须是整数');
	}
	if (given.gender !== 'male' && given.gender !== 'female') {
		throw refuse('参数 gender 必须是 "male" 或 "female"');
	}
	const isWithin = (value: number, low: number, high: number) => value >= low && value <= high;
	if (!isWithin(height, 50, 300) || !isWithin(weight, 10, 300) || !isWithin(age, 1, 150)) {
		throw refuse('参数超出合理范围：身高 (50-300cm)，体重 (10-300kg)，年龄 (1-150岁)');
	}
	const data = healthReport({ height, weight, age, isMale: given.gender === 'male' });
	const {
		basic_info: basic,
		bmi,
		weight_assessment: assessed,
		metabolism,
		body_fat: fat,
		health_advice: advice,
	} = data;
	return describe(
		data,
		() =>
			[
				'健康评估报告',
				`身高 ${basic.height} 体重 ${basic.weight} ${basic.gender} ${basic.age}`,
				`BMI: ${bmi.value} (正常 18.5-24) - ${bmi.category}\n体重状态: ${assessed.status}\n理想体重: ${assessed.ideal_weight_range}`,
				`基础代谢: BMR ${metabolism.bmr} | TDEE ${metabolism.tdee}\n体脂率: ${fat.percentage} (${fat.category})`,
				`饮水: ${advice.daily_water_intake}\n运动: ${advice.exercise_recommendation}\n营养: ${advice.nutrition_advice}`,
				advice.health_tips.map((tip) => `• ${tip}`).join('\n'),
				data.disclaimer,
			].join('\n\n'),
		() =>
			[
				'# 健康评估报告',
				'## 基本信息',
				table(
					['项目', '数值'],
					[
						['**身高**', basic.height],
						['**体重**', basic.weight],
						['**性别**', basic.gender],
						['**年龄**', basic.age],
					],
				),
				'## 评估',
				table(
					['项目', '数值'],
					[
						['**BMI**', `${bmi.value} (${bmi.category})`],
						['**理想体重**', assessed.ideal_weight_range],
						['**基础代谢率**', metabolism.bmr],
						['**每日总消耗**', metabolism.tdee],
						['**体脂率**', `${fat.percentage} (${fat.category})`],
					],
				),
				'## 建议',
				advice.health_tips.map((tip) => `- ${tip}`).join('\n'),
				`*${data.disclaimer}*`,
			].join('\n\n'),
	);
}

const similar = 'il1Lo0O';
const ambiguous = '{}[]()/\\\'"`~,;.<>';
const alphabets = {
	lowercase: 'abcdefghijklmnopqrstuvwxyz',
	uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
	numbers: '0123456789',
	symbols: '!@#$%^&*()_+-=[]{}|;:,.<>?',
};
type SetName = keyof typeof alphabets;
const setNames: Record<SetName, string> = {
	lowercase: '小写字母',
	uppercase: '大写字母',
	numbers: '数字',
	symbols: '特殊符号',
};

const without = (alphabet: string, excluded: string) =>
	[...alphabet].filter((character) => !excluded.includes(character)).join('');

/** A password with at least one character of each set and the rest from all sets. */
function draw(sets: string[], length: number, seed: string): string {
	const dice = new Dice('password', seed);
	const all = [...sets.join('')];
	const certain = sets.map((set) => dice.pick([...set]));
	const others = Array.from({ length: length - certain.length }, () => dice.pick(all));
	return dice.shuffle([...certain, ...others]).join('');
}

function password({ parameters }: Call): Answer {
	const length = parameters.integer('length', 16);
	if (!(length >= 4 && length <= 128)) throw refuse('密码长度必须在 4-128 之间');
	const excludeSimilar = parameters.isOn('exclude_similar', true);
	const excludeAmbiguous = parameters.isOn('exclude_ambiguous', true);
	const used = (Object.keys(alphabets) as SetName[]).filter((name) =>
		parameters.isOn(name, name !== 'symbols'),
	);
	if (used.length === 0) throw refuse('至少需要包含一种字符类型（数字、符号、小写字母、大写字母）');
	const excluded = (excludeSimilar ? similar : '') + (excludeAmbiguous ? ambiguous : '');
	const characters = (name: SetName) => (used.includes(name) ? without(alphabets[name], excluded) : '');
	const sets = used.map(characters);
	const entropy = entropyOf(length, sets.join('').length);
	const data = {
		password: draw(sets, length, parameters.fingerprint()),
		length,
		config: {
			include_numbers: used.includes('numbers'),
			include_symbols: used.includes('symbols'),
			include_lowercase: used.includes('lowercase'),
			include_uppercase: used.includes('uppercase'),
			exclude_similar: excludeSimilar,
			exclude_ambiguous: excludeAmbiguous,
		},
		character_sets: {
			lowercase: characters('lowercase'),
			uppercase: characters('uppercase'),
			numbers: characters('numbers'),
			symbols: characters('symbols'),
			used_sets: used as string[],
		},
		generation_info: { entropy, strength: strengthOfEntropy(entropy), time_to_crack: timeToCrack(entropy) },
	};
	const { generation_info: info, config } = data;
	const kinds = used.map((name) => setNames[name]).join('、');
	const yesOrNo = (value: boolean) => (value ? '是' : '否');
	return describe(
		data,
		() => data.password,
		() =>
			`# 随机密码生成\n\n## 生成的密码\n\n\`\`\`\n${data.password}\n\`\`\`\n\n## 密码信息\n\n- **长度**: ${length} 位\n` +
			`- **字符类型**: ${kinds}\n- **熵值**: ${entropy} bits\n- **强度**: ${info.strength}\n- **破解时间**: ${info.time_to_crack}`,
		{
			'text-detail': () => ({
				kind: 'text',
				text:
					`随机密码生成\n\n生成的密码: ${data.password}\n\n密码信息:\n• 长度: ${length} 位\n• 字符类型: ${kinds}\n` +
					`• 熵值: ${entropy} bits\n• 强度: ${info.strength}\n\n破解时间: ${info.time_to_crack}\n\n生成配置:\n` +
					`• 包含数字: ${yesOrNo(config.include_numbers)}\n• 包含符号: ${yesOrNo(config.include_symbols)}\n` +
					`• 包含小写: ${yesOrNo(config.include_lowercase)}\n• 包含大写: ${yesOrNo(config.include_uppercase)}\n` +
					`• 排除相似: ${yesOrNo(excludeSimilar)}\n• 排除歧义: ${yesOrNo(excludeAmbiguous)}`,
			}),
		},
	);
}

const securityTips = [
	'用密码管理器生成和保存密码',
	'不同账户使用不同的密码',
	'怀疑泄露时立即更换密码',
	'开启两步验证',
	'不在公共场合输入密码',
	'不在陌生设备上保存密码',
	'不用生日、姓名等个人信息作密码',
	'长密码比复杂的短密码更安全',
];

function passwordCheck({ parameters }: Call): Answer {
	const { password: asked } = parameters.required('password');
	if (asked.length > 128) throw refuse('密码长度不能超过 128 个字符');
	const { score, strength, entropy, analysis, recommendations } = rate(asked);
	const data = {
		password: asked,
		length: asked.length,
		score,
		strength,
		entropy,
		time_to_crack: timeToCrack(entropy),
		character_analysis: analysis,
		recommendations,
		security_tips: securityTips,
	};
	const kinds: Array<[string, string]> = [
		['小写字母', analysis.has_lowercase ? '有' : '无'],
		['大写字母', analysis.has_uppercase ? '有' : '无'],
		['数字', analysis.has_numbers ? '有' : '无'],
		['特殊符号', analysis.has_symbols ? '有' : '无'],
		['连续重复', analysis.has_repeated ? '有' : '无'],
		['连续序列', analysis.has_sequential ? '有' : '无'],
	];
	return describe(
		data,
		() =>
			`密码强度检测\n\n检测密码: ${asked}\n\n强度评估:\n• 评分: ${score}/100\n• 强度: ${strength}\n• 熵值: ${entropy} bits\n` +
			`• 长度: ${asked.length} 位\n\n破解时间: ${data.time_to_crack}\n\n字符分析:\n` +
			`${kinds.map(([name, value]) => `• ${name}: ${value}`).join('\n')}\n\n改进建议:\n` +
			recommendations.map((line) => `• ${line}`).join('\n'),
		() =>
			`# 密码强度检测\n\n## 检测结果\n\n**评分**: ${score}/100 | **强度**: ${strength}\n\n**熵值**: ${entropy} bits\n\n` +
			`**破解时间**: ${data.time_to_crack}\n\n## 字符分析\n\n${table(['类型', '状态'], kinds)}\n\n## 改进建议\n\n` +
			recommendations.map((line) => `- ${line}`).join('\n'),
	);
}

/** Group Health and Passwords: a health report, a random password and a password check. */
export const healthAndPasswordEndpoints: Endpoint[] = [
	{ path: '/health', example: '/health?height=175&weight=70&age=30&gender=male', answer: health },
	{ path: '/password', example: '/password?length=12&symbols=true', answer: password },
	{ path: '/password/check', example: '/password/check?password=hunter2', answer: passwordCheck },
];

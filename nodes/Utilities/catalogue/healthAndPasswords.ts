import { type UtilityEntry, type UtilityParameter } from './utility';

function characters(key: string, label: string, which: string, usual: boolean): UtilityParameter {
	const description = `Whether the password may contain ${which}. By default, it ${usual ? 'may' : 'does not'}.`;
	return { key, label, type: 'switch', usual, description };
}

function measure(key: string, label: string, what: string): UtilityParameter {
	return { key, label, type: 'number', required: true, min: 1, description: `${what}, as a whole number` };
}

/** Health and password endpoints. */
export const healthAndPasswords: UtilityEntry[] = [
	{
		value: 'passwordCheck',
		name: 'Check Password',
		action: 'Check password strength',
		description: 'How strong a password is, and how to improve it',
		chinese: '密码强度检测',
		searchWords: ['password strength', 'password check'],
		path: '/v2/apis/password/check',
		output: {
			fields: ['strength', 'score', 'length', 'entropy', 'time_to_crack', 'recommendations'],
			lines: ['recommendations'],
		},
		parameters: [
			{
				key: 'password',
				label: 'Password',
				type: 'text',
				verbatim: true,
				required: true,
				secret: true,
				description:
					'The password to check. It is sent as part of the URL, so do not check a password that is in use.',
			},
		],
	},
	{
		value: 'passwordGenerate',
		name: 'Generate Password',
		action: 'Generate password',
		description: 'A random password',
		chinese: '随机密码',
		searchWords: ['password', 'password generator', '密码'],
		path: '/v2/apis/password',
		output: {
			fields: [
				'password',
				'length',
				'generation_info.strength',
				'generation_info.entropy',
				'generation_info.time_to_crack',
			],
		},
		parameters: [
			{
				key: 'length',
				label: 'Length',
				type: 'number',
				min: 1,
				default: 16,
				description: 'Number of characters in the password',
			},
			characters('numbers', 'Numbers', 'digits', true),
			characters('uppercase', 'Uppercase', 'uppercase letters', true),
			characters('lowercase', 'Lowercase', 'lowercase letters', true),
			characters('symbols', 'Symbols', 'symbols such as ! and %', false),
			{
				key: 'exclude_similar',
				label: 'Exclude Similar',
				type: 'switch',
				usual: true,
				description:
					'Whether to leave out characters that look alike, such as l, 1, and I. By default, they are left out.',
			},
			{
				key: 'exclude_ambiguous',
				label: 'Exclude Ambiguous',
				type: 'switch',
				usual: true,
				description:
					'Whether to leave out symbols that are easily misread, such as brackets and quotation marks. By default, they are left out.',
			},
		],
	},
	{
		value: 'healthReport',
		name: 'Health Report',
		action: 'Get health report',
		description: 'Body mass index, metabolism, body fat, and advice from height, weight, age, and gender',
		chinese: '健康评估',
		searchWords: ['BMI', 'body mass index', 'calories', 'health'],
		path: '/v2/apis/health',
		output: {
			fields: [
				['bmi', 'bmi.value'],
				'bmi.category',
				'bmi.risk',
				'weight_assessment.ideal_weight_range',
				'weight_assessment.adjustment',
				'metabolism.bmr',
				'metabolism.tdee',
				['body_fat', 'body_fat.percentage'],
				'health_advice.daily_water_intake',
				'health_advice.exercise_recommendation',
			],
		},
		parameters: [
			measure('height', 'Height (cm)', 'Height in centimeters'),
			measure('weight', 'Weight (kg)', 'Weight in kilograms'),
			measure('age', 'Age (Years)', 'Age in years'),
			{
				key: 'gender',
				label: 'Gender',
				type: 'list',
				required: true,
				choices: [
					{ name: 'Female', value: 'female' },
					{ name: 'Male', value: 'male' },
				],
				description: 'Gender whose formulas are used',
			},
		],
	},
];

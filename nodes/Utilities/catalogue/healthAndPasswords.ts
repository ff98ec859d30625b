import { USUAL_ENCODINGS, type Utility, type UtilityParameter } from './utility';

function characters(key: string, label: string, which: string): UtilityParameter {
	return { key, label, type: 'switch', description: `Whether the password may hold ${which}` };
}

/** Health and password endpoints. */
export const healthAndPasswords: Utility[] = [
	{
		value: 'passwordCheck',
		group: 'healthAndPasswords',
		name: 'Check Password',
		action: 'Check password strength',
		description: 'How strong a password is, and how to make it better',
		chinese: '密码强度检测',
		searchWords: ['password strength', 'password check'],
		path: '/v2/apis/password/check',
		encodings: USUAL_ENCODINGS,
		parameters: [
			{
				key: 'password',
				label: 'Password',
				type: 'text',
				required: true,
				secret: true,
				description:
					'The password to check. It travels in the address of the request: do not check one that is in use.',
			},
		],
	},
	{
		value: 'passwordGenerate',
		group: 'healthAndPasswords',
		name: 'Generate Password',
		action: 'Generate password',
		description: 'A random password',
		chinese: '随机密码',
		searchWords: ['password', 'password generator', '密码'],
		path: '/v2/apis/password',
		encodings: USUAL_ENCODINGS,
		parameters: [
			{
				key: 'length',
				label: 'Length',
				type: 'number',
				min: 1,
				default: 16,
				description: 'How many characters the password has',
			},
			characters('numbers', 'Numbers', 'digits'),
			characters('uppercase', 'Uppercase', 'capital letters'),
			characters('lowercase', 'Lowercase', 'small letters'),
			characters('symbols', 'Symbols', 'signs such as ! and %'),
			{
				key: 'exclude_similar',
				label: 'Exclude Similar',
				type: 'switch',
				description: 'Whether to leave out characters that look alike, such as l, 1 and I',
			},
			{
				key: 'exclude_ambiguous',
				label: 'Exclude Ambiguous',
				type: 'switch',
				description: 'Whether to leave out signs that are easily misread, such as brackets and quotes',
			},
		],
	},
	{
		value: 'healthReport',
		group: 'healthAndPasswords',
		name: 'Health Report',
		action: 'Get health report',
		description: 'Body mass index, metabolism, body fat and advice from height, weight, age and gender',
		chinese: '健康评估',
		searchWords: ['BMI', 'body mass index', 'calories', 'health'],
		path: '/v2/apis/health',
		encodings: USUAL_ENCODINGS,
		parameters: [
			{
				key: 'height',
				label: 'Height (cm)',
				type: 'number',
				required: true,
				min: 1,
				description: 'Height in centimeters, a whole number',
			},
			{
				key: 'weight',
				label: 'Weight (kg)',
				type: 'number',
				required: true,
				min: 1,
				description: 'Weight in kilograms, a whole number',
			},
			{
				key: 'age',
				label: 'Age (Years)',
				type: 'number',
				required: true,
				min: 1,
				description: 'Age in years, a whole number',
			},
			{
				key: 'gender',
				label: 'Gender',
				type: 'list',
				required: true,
				default: 'female',
				choices: [
					{ name: 'Female', value: 'female' },
					{ name: 'Male', value: 'male' },
				],
				description: 'Which of the two sets of formulas is used',
			},
		],
	},
];

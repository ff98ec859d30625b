import { type UtilityEntry, type UtilityParameter } from './utility';

/** @param usual whether gateways use these characters without the parameter (observed); adding it changes that */
function characters(name: string, displayName: string, which: string, usual: boolean): UtilityParameter {
	const type = 'boolean';
	const description = `Whether the password may contain ${which}. By default, it ${usual ? 'may' : 'does not'}.`;
	return { displayName, name, type, default: !usual, description };
}

function measure(name: string, displayName: string, what: string): UtilityParameter {
	const typeOptions = { minValue: 1, numberPrecision: 0 };
	const description = `${what}, as a whole number`;
	return { displayName, name, type: 'number', typeOptions, required: true, default: 0, description };
}

/** None is preset, so the user has to choose. */
const GENDERS = [
	{ name: 'Female', value: 'female' },
	{ name: 'Male', value: 'male' },
];

/** Health and password endpoints. */
export const healthAndPasswords: UtilityEntry[] = [
	{
		value: 'passwordCheck',
		name: 'Check Password',
		action: 'Check password strength',
		description: 'How strong a password is, and how to improve it',
		path: '/v2/apis/password/check',
		output: {
			fields: ['strength', 'score', 'length', 'entropy', 'time_to_crack', 'recommendations'],
			lines: ['recommendations'],
		},
		parameters: [
			{
				displayName: 'Password',
				name: 'password',
				type: 'string',
				typeOptions: { password: true },
				verbatim: true,
				required: true,
				default: '',
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
				displayName: 'Length',
				name: 'length',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: 16,
				description: 'Number of characters in the password',
			},
			characters('numbers', 'Numbers', 'digits', true),
			characters('uppercase', 'Uppercase', 'uppercase letters', true),
			characters('lowercase', 'Lowercase', 'lowercase letters', true),
			characters('symbols', 'Symbols', 'symbols such as ! and %', false),
			{
				displayName: 'Exclude Similar',
				name: 'exclude_similar',
				type: 'boolean',
				default: false,
				description:
					'Whether to leave out characters that look alike, such as l, 1, and I. By default, they are left out.',
			},
			{
				displayName: 'Exclude Ambiguous',
				name: 'exclude_ambiguous',
				type: 'boolean',
				default: false,
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
				displayName: 'Gender',
				name: 'gender',
				type: 'options',
				required: true,
				default: '',
				options: GENDERS,
				description: 'Gender whose formulas are used',
			},
		],
	},
];

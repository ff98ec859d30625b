import { type UtilityEntry, type UtilityParameter } from './utility';
import { choiceField, flagField, numberField, textField } from '../../shared/fields/field';

function measure(name: string, displayName: string, what: string): UtilityParameter {
	const more = { typeOptions: { minValue: 1, numberPrecision: 0 }, required: true };
	return numberField(displayName, name, 0, `${what}, as a whole number`, more);
}

export const healthAndPasswords: UtilityEntry[] = [
	{
		value: 'passwordGenerate',
		name: 'Generate Password',
		action: 'generate password with strength in Chinese',
		description: 'A random password, with its strength in Chinese',
		searchWords: ['password', 'password generator', '密码', '随机密码'],
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
			numberField('Length', 'length', 16, 'Number of characters in the password', {
				typeOptions: { minValue: 1, numberPrecision: 0 },
			}),
			// The defaults are those of gateways (observed).
			flagField('Numbers', 'numbers', 'Whether to use digits (default: yes)'),
			flagField('Uppercase', 'uppercase', 'Whether to use uppercase letters (default: yes)'),
			flagField('Lowercase', 'lowercase', 'Whether to use lowercase letters (default: yes)'),
			flagField('Symbols', 'symbols', 'Whether to use symbols such as ! and % (default: no)'),
			flagField(
				'Exclude Similar',
				'exclude_similar',
				'Whether to leave out what looks alike, such as l, 1, and I (default: yes)',
			),
			flagField(
				'Exclude Ambiguous',
				'exclude_ambiguous',
				'Whether to leave out brackets and quotation marks (default: yes)',
			),
		],
	},
	{
		value: 'passwordCheck',
		name: 'Check Password',
		action: 'check password strength',
		description: 'How strong a password is, and how to improve it, in Chinese',
		searchWords: ['password strength', 'password check', '密码强度检测'],
		path: '/v2/apis/password/check',
		output: {
			fields: ['strength', 'score', 'length', 'entropy', 'time_to_crack', 'recommendations'],
			lines: ['recommendations'],
		},
		parameters: [
			{
				...textField(
					'Password',
					'password',
					'The password to check. It is sent as part of the URL, so do not check a password that is in use.',
					{ typeOptions: { password: true }, required: true },
				),
				verbatim: true,
			},
		],
	},
	{
		value: 'healthReport',
		name: 'Health Report',
		action: 'get health report',
		description: 'Body mass index, metabolism, body fat, and advice, in Chinese',
		searchWords: ['BMI', 'body mass index', 'calories', 'health', '健康评估'],
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
			choiceField('Gender', 'gender', {
				// The user has to choose.
				default: '',
				description: 'Gender whose formulas are used',
				options: [
					{ name: 'Female', value: 'female' },
					{ name: 'Male', value: 'male' },
				],
				required: true,
			}),
		],
	},
];

import { pickerField } from '../../shared/fields/picker';
import { rows, type UtilityEntry, type UtilityParameter } from './utility';

function language(displayName: string, name: string, example: string, description: string): UtilityParameter {
	const field = pickerField({
		displayName,
		name,
		description,
		searchListMethod: 'searchLanguages',
		defaultValue: 'auto',
		defaultName: 'Automatic',
		placeholder: `e.g. ${example}`,
		required: false,
	});
	return { ...field, upfront: true };
}

/** Translation endpoints. */
export const translation: UtilityEntry[] = [
	{
		value: 'translate',
		name: 'Translate Text',
		action: 'Translate text',
		description: 'Translate a text between 109 languages',
		path: '/v2/apis/fanyi',
		output: {
			fields: [
				['text', 'target.text'],
				['source', 'source.text'],
				['source_type', 'source.type'],
				['target_type', 'target.type'],
				'target.pronounce',
			],
		},
		parameters: [
			{
				displayName: 'Text',
				name: 'text',
				type: 'string',
				typeOptions: { rows: 4 },
				verbatim: true,
				required: true,
				placeholder: 'e.g. Good morning',
				default: '',
				description:
					'The text to translate. It is sent as part of the URL, so keep it to a few thousand characters.',
			},
			language('From', 'from', 'en', 'Language of the text. Automatic lets the gateway detect it.'),
			language('To', 'to', 'fr', 'Language to translate into. Automatic lets the gateway choose.'),
		],
	},
	{
		value: 'translationLanguages',
		name: 'List Languages',
		action: 'Get many translation languages',
		description: 'Languages that are available for translation, with their codes',
		path: '/v2/apis/fanyi/langs',
		output: rows('code', 'label', 'alphabet'),
		encodings: [],
	},
];

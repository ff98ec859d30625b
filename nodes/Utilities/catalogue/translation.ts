import { pickerField } from '../../shared/fields/picker';
import { rows, text, type UtilityEntry, type UtilityParameter } from './utility';

function language(
	displayName: string,
	name: string,
	description: string,
	placeholder: string,
): UtilityParameter {
	const settings = { displayName, name, description, placeholder, searchListMethod: 'searchLanguages' };
	const preset = { mode: 'list', value: 'auto', cachedResultName: 'Automatic' };
	return { ...pickerField(settings), required: false, default: preset, upfront: 'optional' };
}

export const translation: UtilityEntry[] = [
	{
		value: 'translate',
		name: 'Translate Text',
		action: 'translate text',
		description: 'Translate a text between 109 languages',
		searchWords: ['translate', 'translation', 'translator', 'language', '翻译'],
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
			text(
				'text',
				'Text',
				'e.g. Good morning',
				'The text to translate. It is sent as part of the URL, so keep it to a few thousand characters.',
				{ typeOptions: { rows: 4 }, verbatim: true, required: true },
			),
			language('From', 'from', 'Language of the text. Automatic lets the gateway detect it.', 'e.g. en'),
			language('To', 'to', 'Language to translate into. Automatic lets the gateway choose it.', 'e.g. fr'),
		],
	},
	{
		value: 'translationLanguages',
		name: 'List Languages',
		action: 'get many translation languages with names in Chinese',
		description: 'Languages that are available for translation, with their codes, and names in Chinese',
		searchWords: ['language codes', '翻译语言列表'],
		path: '/v2/apis/fanyi/langs',
		output: rows('code', 'label', 'alphabet'),
		encodings: [],
	},
];

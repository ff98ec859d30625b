import { rows, type UtilityEntry } from './utility';

/** Translation endpoints. */
export const translation: UtilityEntry[] = [
	{
		value: 'translate',
		name: 'Translate Text',
		action: 'Translate text',
		description: 'Translate a text between 109 languages',
		chinese: '翻译',
		searchWords: ['translate', 'translation', 'translator', 'language'],
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
				key: 'text',
				label: 'Text',
				type: 'text',
				verbatim: true,
				required: true,
				lines: 4,
				placeholder: 'e.g. Good morning',
				description:
					'The text to translate. It is sent as part of the URL, so keep it to a few thousand characters.',
			},
			{
				key: 'from',
				label: 'From',
				type: 'picker',
				search: 'searchLanguages',
				upfront: true,
				default: 'auto',
				defaultName: 'Automatic',
				placeholder: 'e.g. en',
				description: 'Language of the text. Automatic lets the gateway detect it.',
			},
			{
				key: 'to',
				label: 'To',
				type: 'picker',
				search: 'searchLanguages',
				upfront: true,
				default: 'auto',
				defaultName: 'Automatic',
				placeholder: 'e.g. fr',
				description: 'Language to translate into. Automatic lets the gateway choose.',
			},
		],
	},
	{
		value: 'translationLanguages',
		name: 'List Languages',
		action: 'Get many translation languages',
		description: 'Languages that are available for translation, with their codes',
		chinese: '翻译语言列表',
		searchWords: ['language codes'],
		path: '/v2/apis/fanyi/langs',
		output: rows('code', 'label', 'alphabet'),
		encodings: [],
	},
];

import { LINK, USUAL_ENCODINGS, type UtilityEntry } from './utility';

/** Reference endpoints. */
export const reference: UtilityEntry[] = [
	{
		value: 'encyclopedia',
		name: 'Encyclopedia Entry',
		action: 'Get encyclopedia entry',
		description: 'Summary of a term from an encyclopedia',
		chinese: '百科词条',
		searchWords: ['encyclopedia', 'definition', 'dictionary', '百科'],
		path: '/v2/apis/encyclopedia',
		output: { fields: ['title', 'description', 'abstract', 'has_other', 'cover', LINK] },
		encodings: USUAL_ENCODINGS,
		parameters: [
			{
				key: 'word',
				label: 'Term',
				type: 'text',
				required: true,
				placeholder: 'e.g. 人工智能',
				description: 'The term to look up',
			},
		],
	},
	{
		value: 'lyrics',
		name: 'Lyrics',
		action: 'Get lyrics',
		description: 'Lyrics of a song, line by line with their times',
		chinese: '歌词',
		searchWords: ['song lyrics', 'lyric'],
		path: '/v2/apis/lyric',
		output: {
			fields: ['title', 'artists', 'album', 'formatted', 'raw_lyric'],
			lists: { lyrics: ['time', 'lyric', 'ms', 'label', '^title', '^artists', '^album'] },
		},
		encodings: USUAL_ENCODINGS,
		parameters: [
			{
				key: 'query',
				label: 'Song',
				type: 'text',
				required: true,
				placeholder: 'e.g. 茉莉花',
				description: 'Name of the song',
			},
			{
				key: 'clean',
				label: 'Clean',
				type: 'switch',
				description:
					'Whether to leave out lines that are not sung, such as the names of the composer and the arranger',
			},
		],
	},
	{
		value: 'whois',
		name: 'WHOIS',
		action: 'Get WHOIS record of domain',
		description: 'Who registered a domain, where, and until when',
		chinese: '域名查询',
		searchWords: ['whois', 'domain', 'registrar'],
		path: '/v2/apis/whois',
		output: {
			fields: [
				'domain',
				'registrar',
				['registrant', 'registrant.organization', 'registrant.name', 'registrant'],
				'status',
				'nameservers',
				'dnssec',
				'created_at',
				'updated_at',
				'expires_at',
				'duration_desc',
			],
		},
		encodings: USUAL_ENCODINGS,
		parameters: [
			{
				key: 'domain',
				label: 'Domain',
				type: 'text',
				required: true,
				placeholder: 'e.g. example.com',
				description: 'The domain to look up',
			},
		],
	},
];

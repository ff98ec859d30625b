import { LINK, TEXT_FIRST, type UtilityEntry } from './utility';

export const reference: UtilityEntry[] = [
	{
		value: 'encyclopedia',
		name: 'Encyclopedia Entry',
		action: 'get encyclopedia entry',
		description: 'Summary of a term from an encyclopedia, in Chinese',
		path: '/v2/apis/encyclopedia',
		output: { fields: ['title', 'description', 'abstract', 'has_other', 'cover', LINK] },
		parameters: [
			{
				displayName: 'Term',
				name: 'word',
				type: 'string',
				required: true,
				placeholder: 'e.g. 人工智能 (artificial intelligence)',
				default: '',
				description: 'The term to look up, best in Chinese',
			},
		],
	},
	{
		value: 'whois',
		name: 'WHOIS',
		action: 'get WHOIS record of domain',
		description: 'Who registered a domain, where, and until when',
		path: '/v2/apis/whois',
		output: {
			fields: [
				'domain',
				'registrar',
				['registrant', 'registrant.organization', 'registrant.name'],
				'nameservers',
				'created_at',
				'updated_at',
				'expires_at',
			],
		},
		parameters: [
			{
				displayName: 'Domain',
				name: 'domain',
				type: 'string',
				required: true,
				placeholder: 'e.g. example.com',
				default: '',
				description: 'The domain to look up',
			},
		],
	},
	{
		value: 'lyrics',
		name: 'Lyrics',
		action: 'get lyrics',
		description: 'Lyrics of a song, in its language',
		path: '/v2/apis/lyric',
		output: {
			fields: ['title', 'artists', 'album', 'formatted', 'raw_lyric'],
			lists: { lyrics: ['time', 'lyric', 'ms', 'label', '^title', '^artists', '^album'] },
		},
		encodings: TEXT_FIRST,
		parameters: [
			{
				displayName: 'Song',
				name: 'query',
				type: 'string',
				required: true,
				placeholder: 'e.g. 茉莉花 (Jasmine Flower)',
				default: '',
				description: 'Name of the song',
			},
			{
				displayName: 'Clean',
				name: 'clean',
				type: 'boolean',
				default: true,
				description:
					'Whether to leave out lines that are not sung, such as the name of the composer (default: yes)',
			},
		],
	},
	{
		value: 'olympicMedals',
		name: 'Olympic Medals',
		action: 'get many Olympic medals',
		description: 'Medals by country at the latest or a given Olympic Games, in Chinese',
		path: '/v2/apis/olympics',
		output: {
			lists: {
				list: ['rank', 'country', 'code', 'gold', 'silver', 'bronze', 'total', '^event_name', '^updated_at'],
			},
		},
		parameters: [
			{
				displayName: 'Event ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. paris-2024',
				default: '',
				description: 'Edition of the Games. If not set, the most recent one is used.',
			},
		],
	},
];

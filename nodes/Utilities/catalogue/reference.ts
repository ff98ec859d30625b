import { LINK, type UtilityEntry } from './utility';

/** Reference endpoints. */
export const reference: UtilityEntry[] = [
	{
		value: 'encyclopedia',
		name: 'Encyclopedia Entry',
		action: 'Get encyclopedia entry',
		description: 'Summary of a term from an encyclopedia',
		path: '/v2/apis/encyclopedia',
		output: { fields: ['title', 'description', 'abstract', 'has_other', 'cover', LINK] },
		parameters: [
			{
				displayName: 'Term',
				name: 'word',
				type: 'string',
				required: true,
				placeholder: 'e.g. 人工智能',
				default: '',
				description: 'The term to look up',
			},
		],
	},
	{
		value: 'lyrics',
		name: 'Lyrics',
		action: 'Get lyrics',
		description: 'Lyrics of a song, line by line with their times',
		path: '/v2/apis/lyric',
		output: {
			fields: ['title', 'artists', 'album', 'formatted', 'raw_lyric'],
			lists: { lyrics: ['time', 'lyric', 'ms', 'label', '^title', '^artists', '^album'] },
		},
		parameters: [
			{
				displayName: 'Song',
				name: 'query',
				type: 'string',
				required: true,
				placeholder: 'e.g. 茉莉花',
				default: '',
				description: 'Name of the song',
			},
			{
				displayName: 'Clean',
				name: 'clean',
				type: 'boolean',
				default: false,
				description:
					'Whether to leave out lines that are not sung, such as the name of the composer. By default, they are left out.',
			},
		],
	},
	{
		value: 'olympicMedals',
		name: 'Olympic Medals',
		action: 'Get Olympic medal table',
		description: 'Medals by country at the latest or a given Olympic Games',
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
	{
		value: 'whois',
		name: 'WHOIS',
		action: 'Get WHOIS record of domain',
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
];

import { LINK, type UtilityEntry } from './utility';

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
				usual: true,
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
		chinese: '奥运奖牌榜',
		searchWords: ['olympics', 'medal table', '奥运'],
		path: '/v2/apis/olympics',
		output: {
			lists: {
				list: ['rank', 'country', 'code', 'gold', 'silver', 'bronze', 'total', '^event_name', '^updated_at'],
			},
		},
		parameters: [
			{
				key: 'id',
				label: 'Event ID',
				type: 'text',
				placeholder: 'e.g. paris-2024',
				description: 'Edition of the Games. If not set, the most recent one is used.',
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
				['registrant', 'registrant.organization', 'registrant.name'],
				'nameservers',
				'created_at',
				'updated_at',
				'expires_at',
			],
		},
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

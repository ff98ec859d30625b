import { LINK, text, TEXT_FIRST, type UtilityEntry } from './utility';
import { flagField } from '../../shared/fields/field';

export const reference: UtilityEntry[] = [
	{
		value: 'encyclopedia',
		name: 'Encyclopedia Entry',
		action: 'get encyclopedia entry',
		description: 'Summary of a term from an encyclopedia, in Chinese',
		searchWords: ['wiki', 'wikipedia', 'encyclopedia', 'definition', 'dictionary', '百科', '百科词条'],
		path: '/v2/apis/encyclopedia',
		output: { fields: ['title', 'description', 'abstract', 'has_other', 'cover', LINK] },
		parameters: [
			text('word', 'Term', 'e.g. 人工智能', 'The term to look up, best in Chinese', { required: true }),
		],
	},
	{
		value: 'whois',
		name: 'WHOIS',
		action: 'get WHOIS record of domain',
		description: 'Who registered a domain, where, and until when',
		searchWords: ['domain', 'registrar', '域名查询'],
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
		parameters: [text('domain', 'Domain', 'e.g. example.com', 'The domain to look up', { required: true })],
	},
	{
		value: 'lyrics',
		name: 'Lyrics',
		action: 'get lyrics',
		description: 'Lyrics of a song, in its language',
		searchWords: ['song lyrics', 'lyric', '歌词'],
		path: '/v2/apis/lyric',
		output: {
			fields: ['title', 'artists', 'album', 'formatted', 'raw_lyric'],
			lists: { lyrics: ['time', 'lyric', 'ms', 'label', '^title', '^artists', '^album'] },
		},
		encodings: TEXT_FIRST,
		parameters: [
			text('query', 'Song', 'e.g. 茉莉花', 'Name of the song', { required: true }),
			flagField(
				'Clean',
				'clean',
				'Whether to leave out lines that are not sung, such as the name of the composer (default: yes)',
			),
		],
	},
	{
		value: 'olympicMedals',
		name: 'Olympic Medals',
		action: 'get many Olympic medals',
		description: 'Medals by country at the latest or a given Olympic Games, in Chinese',
		searchWords: ['olympics', 'medal table', '奥运', '奥运奖牌榜'],
		path: '/v2/apis/olympics',
		output: {
			lists: {
				list: ['rank', 'country', 'code', 'gold', 'silver', 'bronze', 'total', '^event_name', '^updated_at'],
			},
		},
		parameters: [
			text(
				'id',
				'Event ID',
				'e.g. paris-2024',
				'Edition of the Games. If not set, the most recent one is used.',
			),
		],
	},
];

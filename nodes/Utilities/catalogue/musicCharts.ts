import { pickerField } from '../../shared/fields/picker';
import { LINK, rows, type UtilityEntry } from './utility';

export const musicCharts: UtilityEntry[] = [
	{
		value: 'musicChart',
		name: 'Chart',
		action: 'get many tracks of music chart',
		description: 'The tracks of a music chart, with artists and albums, in Chinese',
		path: '/v2/apis/music-rank/{id}',
		output: rows(
			'rank',
			'title',
			['artists', 'artist.name'],
			['album', 'album.name'],
			'duration_desc',
			'album.published_at',
			'rank_name',
			'album.cover',
			LINK,
		),
		parameters: [
			pickerField({
				displayName: 'Chart',
				name: 'id',
				description: 'The chart to list. The list contains the charts of the gateway.',
				searchListMethod: 'searchMusicCharts',
				defaultValue: '',
				placeholder: 'e.g. 3778678',
			}),
		],
	},
	{
		value: 'musicCharts',
		name: 'List Charts',
		action: 'get many music charts',
		description: 'The music charts that the gateway has, with their IDs, and names in Chinese',
		path: '/v2/apis/music-rank/list',
		output: rows('id', 'name', 'description', 'update_frequency', 'updated_at', 'created_at', 'cover', LINK),
	},
];

import { chartName } from '../../../nodes/Utilities/chartNames';

describe('The name of a music chart', () => {
	it.each([
		['1', '热歌榜', 'Hot Songs 热歌榜'],
		['3778678', 'Top 100', 'Hot Songs Top 100'],
		['3778678', 'Hot Songs', 'Hot Songs'],
		['3778678', '', 'Hot Songs'],
		['1', ' 民谣榜 ', 'Folk 民谣榜'],
		['1', '我的榜', '我的榜'],
		['1', '', '1'],
		['constructor', 'toString', 'toString'],
	])('for %s, %j is %j', (id, name, shown) => {
		expect(chartName(id, name)).toBe(shown);
	});
});

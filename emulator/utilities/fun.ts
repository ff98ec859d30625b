import { games, olympicGames, olympicTeams } from './data/games';
import type { Call, Endpoint } from './endpoint';
import { breakCalendar } from './moyu';
import { Dice } from './random';
import { type Answer, Crash, describe } from './reply';
import { sayingEndpoints } from './sayings';
import { dayInMs, stamps, timeAt } from './time';
import { money, numbered, table } from './wording';

const gamesAWeek = 2;
const weekInMs = 7 * dayInMs;
// Games change on Thursdays at 23:00 in China, for example at this time.
const firstChange = timeAt('2024-01-04', '23:00:00');

/** The free games of this week and next week. */
function freeGames({ now, fileUrl }: Call): Answer {
	const week = Math.floor((now - firstChange) / weekInMs);
	const list = [week, week + 1].flatMap((number) =>
		Array.from({ length: gamesAWeek }, (_, index) => {
			const turn = number * gamesAWeek + index;
			const game = games[((turn % games.length) + games.length) % games.length];
			const start = firstChange + number * weekInMs;
			const id = new Dice('game', game.title).integer(100_000, 999_999).toString(16);
			return {
				id,
				title: game.title,
				cover: fileUrl(`game-${id}-640x360.png`),
				original_price: game.price,
				original_price_desc: `¥${money(game.price)}`,
				description: game.description,
				seller: game.seller,
				is_free_now: number === week,
				...stamps('free_start', start),
				...stamps('free_end', start + weekInMs),
				link: `https://games.example/p/${id}`,
			};
		}),
	);
	const state = (game: (typeof list)[number]) => (game.is_free_now ? '免费中' : '即将免费');
	return describe(
		list,
		() =>
			`本周免费游戏\n\n${numbered(
				list.map(
					(game) =>
						`${game.title} (${state(game)})\n${game.description}\n${game.free_start} 至 ${game.free_end}`,
				),
			)}`,
		() =>
			`# 本周免费游戏\n\n${list
				.map(
					(game) =>
						`## [${game.title}](${game.link}) \`${state(game)}\`\n\n${game.description}\n\n![${game.title}](${game.cover})\n\n原价 ${game.original_price_desc}，${game.free_start} 至 ${game.free_end}`,
				)
				.join('\n\n')}`,
	);
}

/** The medal table of the requested games, by default of the latest games that have begun. */
function olympics({ parameters, today, fileUrl }: Call): Answer {
	const latest = olympicGames.find(({ start }) => start <= today) ?? olympicGames.at(-1)!;
	const id = parameters.text('id', latest.id);
	const event = olympicGames.find((candidate) => candidate.id === id);
	if (!event) throw new Crash('获取奖牌榜数据失败: 404 Not Found');
	const dice = new Dice('olympics', event.id);
	const list = olympicTeams
		.map(([code, country]) => {
			const [gold, silver, bronze] = [dice.integer(0, 24), dice.integer(0, 22), dice.integer(1, 26)];
			return { code, country, gold, silver, bronze, total: gold + silver + bronze };
		})
		.sort((one, other) => other.gold - one.gold || other.silver - one.silver || other.bronze - one.bronze)
		.map((team, index) => ({ rank: index + 1, ...team, flag: fileUrl(`flag-${team.code}-300x200.png`) }));
	const data = {
		event_id: event.id,
		event_name: event.name,
		start_date: event.start,
		end_date: event.end,
		// During the games, the table is from this morning.
		...stamps('updated', Math.min(timeAt(event.end, '22:00:00'), timeAt(today))),
		list,
	};
	return describe(
		data,
		() =>
			`奥运会奖牌榜 (${event.name})\n更新时间: ${data.updated}\n\n${numbered(
				list.map(
					(team) =>
						`${team.country} - 金 ${team.gold} 银 ${team.silver} 铜 ${team.bronze} (总计: ${team.total})`,
				),
			)}`,
		() =>
			`# 奥运会奖牌榜\n\n**赛事**: ${event.name}\n**更新时间**: ${data.updated}\n\n${table(
				['排名', '国家/地区', '金牌', '银牌', '铜牌', '总计'],
				list.map((team) => [team.rank, team.country, team.gold, team.silver, team.bronze, team.total]),
			)}`,
	);
}

/** Group Fun: sayings, the break calendar, free games and medals. */
export const funEndpoints: Endpoint[] = [
	...sayingEndpoints,
	{ path: '/moyu', example: '/moyu?date=2026-10-01', answer: breakCalendar },
	{ path: '/free-games', answer: freeGames },
	{ path: '/olympics', answer: olympics },
];

import { topics } from './data/topics';
import type { Call, Endpoint } from './endpoint';
import { Dice } from './random';
import { type Answer, describe } from './reply';
import { isDate, stamps, timeAt } from './time';
import { numbered, table } from './wording';

const updateGapInSeconds = 5;

/** The requested date, or today if the value is not a date. */
function dayOf({ parameters, today }: Call): string {
	const asked = parameters.text('date');
	return isDate(asked) ? asked : today;
}

/** Decreasing shares that add up to 1. */
function shares(dice: Dice, count: number): number[] {
	const weights = Array.from({ length: count }, (_, index) => dice.decimal(0.7, 1.3, 3) / (index + 1)).sort(
		(one, other) => other - one,
	);
	const whole = weights.reduce((total, weight) => total + weight, 0);
	return weights.map((weight) => weight / whole);
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`;

function allTimeMovies({ today }: Call): Answer {
	const dice = new Dice('boxoffice/all');
	const takings = topics.films
		.map((movie_name) => ({
			maoyan_id: dice.integer(100_000, 1_500_000),
			movie_name,
			release_year: String(dice.integer(2008, 2025)),
			box_office: dice.integer(120_000, 590_000) * 10_000,
		}))
		.sort((one, other) => other.box_office - one.box_office);
	const list = takings.map((movie, index) => ({
		rank: index + 1,
		...movie,
		box_office_desc: `${(movie.box_office / 1e8).toFixed(2)}亿元`,
	}));
	const data = { list, tip: '票房数据为示例，仅供参考', ...stamps('update_time', timeAt(today)) };
	return describe(
		data,
		() =>
			`影史票房榜\n\n${numbered(list.map((movie) => `${movie.movie_name} (${movie.release_year}) ${movie.box_office_desc}`))}`,
		() =>
			`# 影史票房榜\n\n> 更新时间: ${data.update_time}\n\n${table(
				['排名', '影片', '年份', '票房'],
				list.map((movie) => [movie.rank, movie.movie_name, movie.release_year, movie.box_office_desc]),
			)}`,
	);
}

function moviesOfTheDay(call: Call): Answer {
	const date = dayOf(call);
	const dice = new Dice('boxoffice/movie', date);
	// All amounts are in units of 10,000 yuan; split takings exclude the cinemas' service fee.
	const total = dice.decimal(3200, 26_000, 2);
	const splitTotal = total * 0.91;
	const shows = dice.integer(320_000, 460_000);
	const unit = '万';
	const films = dice.sample(topics.films, 10);
	const list = shares(dice, films.length).map((share, index) => {
		const days = dice.integer(1, 40);
		const sum = (total * share * days) / 10_000;
		return {
			movie_id: dice.integer(100_000, 1_500_000),
			movie_name: films[index],
			release_info: days === 1 ? '上映首日' : `上映${days}天`,
			box_office: (total * share).toFixed(2),
			box_office_unit: unit,
			box_office_desc: `${(total * share).toFixed(2)}${unit}`,
			box_office_rate: percent(share),
			split_box_office: (splitTotal * share).toFixed(2),
			split_box_office_unit: unit,
			split_box_office_desc: `${(splitTotal * share).toFixed(2)}${unit}`,
			split_box_office_rate: percent(share),
			show_count: Math.round(shows * share),
			show_count_rate: percent(share),
			avg_show_view: String(dice.integer(3, 38)),
			avg_seat_view: `${dice.decimal(1, 24, 1)}%`,
			sum_box_desc: `${sum.toFixed(2)}亿`,
			sum_split_box_desc: `${(sum * 0.91).toFixed(2)}亿`,
		};
	});
	const data = {
		title: `${date} 大盘`,
		show_count_desc: `${(shows / 10_000).toFixed(1)}万场`,
		view_count_desc: `${(total / 42).toFixed(1)}万人次`,
		split_box_office: splitTotal.toFixed(2),
		split_box_office_unit: unit,
		box_office: total.toFixed(2),
		box_office_unit: unit,
		update_gap_second: updateGapInSeconds,
		...stamps('updated', timeAt(date)),
		list,
	};
	return describe(
		data,
		() =>
			`电影实时票房 (${date})\n大盘: ${data.box_office}${unit}\n\n${numbered(
				list.map((movie) => `${movie.movie_name} ${movie.box_office_desc} (${movie.box_office_rate})`),
			)}`,
		() =>
			`# 电影实时票房\n\n> ${date} 大盘 ${data.box_office}${unit}\n\n${table(
				['影片', '上映', '票房', '占比', '累计'],
				list.map((movie) => [
					movie.movie_name,
					movie.release_info,
					movie.box_office_desc,
					movie.box_office_rate,
					movie.sum_box_desc,
				]),
			)}`,
	);
}

function tvOfTheDay(call: Call): Answer {
	const date = dayOf(call);
	const dice = new Dice('boxoffice/tv', date);
	const programmes = dice.sample([...topics.series, ...topics.shows], 12);
	const list = shares(dice, programmes.length).map((share, index) => {
		const attention = Number((share * 2.4).toFixed(4));
		return {
			programme_name: programmes[index],
			channel_name: dice.pick(['综合频道', '东方卫视', '湖畔卫视', '江南卫视', '北方卫视']),
			market_rate: Number(share.toFixed(4)),
			market_rate_desc: `${(share * 100).toFixed(2)}%`,
			attention_rate: attention,
			attention_rate_desc: `${attention.toFixed(4)}%`,
		};
	});
	const data = { update_gap_second: updateGapInSeconds, ...stamps('updated', timeAt(date)), list };
	return describe(
		data,
		() =>
			`电视收视排行 (${date})\n\n${numbered(
				list.map((item) => `${item.programme_name} (${item.channel_name}) ${item.market_rate_desc}`),
			)}`,
		() =>
			`# 电视收视排行\n\n> 更新时间: ${data.updated}\n\n${table(
				['节目', '频道', '市占率', '关注度'],
				list.map((item) => [
					item.programme_name,
					item.channel_name,
					item.market_rate_desc,
					item.attention_rate_desc,
				]),
			)}`,
	);
}

function webSeriesOfTheDay(call: Call): Answer {
	const date = dayOf(call);
	const dice = new Dice('boxoffice/web', date);
	const series = dice.sample(topics.series, 12);
	const all = shares(dice, series.length);
	const list = all.map((share, index) => {
		const heat = Number((share * 40_000).toFixed(2));
		return {
			series_id: dice.integer(100_000, 999_999),
			series_name: series[index],
			release_info: `上线${dice.integer(1, 60)}天`,
			platform_desc: dice.pick(['甲平台独播', '乙平台独播', '多平台播出']),
			platform_txt: dice.integer(1, 5),
			curr_heat: heat,
			curr_heat_desc: heat.toFixed(2),
			bar_value: Math.round((share / all[0]) * 100),
		};
	});
	const data = { update_gap_second: updateGapInSeconds, ...stamps('updated', timeAt(date)), list };
	return describe(
		data,
		() =>
			`网剧热度排行 (${date})\n\n${numbered(
				list.map((item) => `${item.series_name} (${item.platform_desc}) ${item.curr_heat_desc}`),
			)}`,
		() =>
			`# 网剧热度排行\n\n> 更新时间: ${data.updated}\n\n${table(
				['剧集', '上线', '平台', '热度'],
				list.map((item) => [item.series_name, item.release_info, item.platform_desc, item.curr_heat_desc]),
			)}`,
	);
}

/** Group Box Office: films of all time, and films, television and web series of one day. */
export const boxOfficeEndpoints: Endpoint[] = [
	{ path: '/boxoffice/all/movie', answer: allTimeMovies },
	{ path: '/boxoffice/realtime/movie', answer: moviesOfTheDay },
	{ path: '/boxoffice/realtime/tv', answer: tvOfTheDay },
	{ path: '/boxoffice/realtime/web', answer: webSeriesOfTheDay },
];

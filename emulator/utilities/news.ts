import { lunarDate } from './calendar';
import { digestHeadlines } from './data/digestHeadlines';
import { aiNews, almanacEvents, dailyTips, techTitles } from './data/headlines';
import type { Call, Endpoint } from './endpoint';
import { drawPicture } from './pictures';
import { Dice } from './random';
import { type Answer, describe, fileOnly, noSuchPath } from './reply';
import { addDays, dayInMs, isDate, stamps, timeAt, weekdayOf } from './time';
import { escapeMarkup, fillNumbers, numbered } from './wording';

const firstDigest = '2024-01-01';
const rssDays = 7;
const aiNewsDays = 30;

function digestFor(date: string) {
	const dice = new Dice('60s', date);
	return {
		news: dice.sample(digestHeadlines, 15).map(({ chinese }) => fillNumbers(chinese, dice)),
		tip: dice.pick(dailyTips),
		link: `https://digest.example/s/${date.replaceAll('-', '')}`,
	};
}

const digestPicture = (date: string) => `60s-${date}-720x1280.png`;

/** For a date without a digest (invalid, too old or in the future), the latest date (observed). */
function digestDate({ parameters, today }: Call): string {
	const asked = parameters.text('date');
	return isDate(asked) && asked >= firstDigest && asked <= today ? asked : today;
}

function dailyDigest(call: Call): Answer {
	const date = digestDate(call);
	const { news, tip, link } = digestFor(date);
	const data = {
		date,
		news,
		cover: call.fileUrl(`60s-cover-${date}.png`),
		tip,
		image: call.fileUrl(digestPicture(date)),
		link,
		...stamps('created', timeAt(date, '00:02:11')),
		...stamps('updated', timeAt(date, '00:03:27')),
		day_of_week: weekdayOf(date),
		lunar_date: lunarDate(date),
		// The cache is refreshed once a day; force-update refreshes it now.
		...stamps('api_updated', call.parameters.has('force-update') ? call.now : timeAt(call.today)),
	};
	return describe(
		data,
		() => `每天 60s 读懂世界（${date}）\n\n${numbered(news)}\n\n【微语】${tip}`,
		() =>
			`# 每天 60s 读懂世界\n\n> ${date} ${data.day_of_week} ${data.lunar_date}\n\n${numbered(news)}\n\n---\n\n` +
			`**【微语】** *${tip}*\n\n![每天 60s 读懂世界](${data.image})`,
		{
			image: () => ({ kind: 'redirect', address: data.image }),
			'image-proxy': () => ({
				kind: 'file',
				contentType: 'image/png',
				content: drawPicture(digestPicture(date)),
			}),
		},
	);
}

function rssItem(date: string): string {
	const { news, tip, link } = digestFor(date);
	const title = `每天 60s 读懂世界 - ${date} ${weekdayOf(date)} ${lunarDate(date)}`;
	const html = `<ol>${news.map((line) => `<li>${escapeMarkup(line)}</li>`).join('')}</ol><p>${escapeMarkup(tip)}</p>`;
	return `    <item>
      <title>${escapeMarkup(title)}</title>
      <link>${escapeMarkup(link)}</link>
      <guid isPermaLink="true">${escapeMarkup(link)}</guid>
      <pubDate>${new Date(timeAt(date)).toUTCString()}</pubDate>
      <description>${escapeMarkup(html)}</description>
    </item>`;
}

function digestFeed({ today }: Call): Answer {
	const days = Array.from({ length: rssDays }, (_, index) => addDays(today, -index));
	const feed = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>每天 60s 读懂世界</title>
    <link>https://digest.example/</link>
    <description>每天 60 秒，读懂世界大事</description>
    <language>zh-CN</language>
    <lastBuildDate>${new Date(timeAt(today)).toUTCString()}</lastBuildDate>
${days.map(rssItem).join('\n')}
  </channel>
</rss>
`;
	return fileOnly('application/xml', feed);
}

function aiNewsOf(date: string) {
	const dice = new Dice('ai-news', date);
	return dice.sample(aiNews, dice.integer(4, 7)).map(({ title, detail, source }, index) => ({
		title: fillNumbers(title, dice),
		detail: fillNumbers(detail, dice),
		link: `https://ai-news.example/${date}/${index + 1}`,
		source,
		date,
	}));
}

function aiNewsAnswer({ parameters, today }: Call): Answer {
	const all = parameters.has('all');
	const date = parameters.text('date', today);
	const inArchive = isDate(date) && date <= today && date > addDays(today, -aiNewsDays);
	const recentDays = Array.from({ length: rssDays }, (_, index) => addDays(today, -index));
	const data = all
		? { date: 'all', news: recentDays.flatMap(aiNewsOf) }
		: { date, news: inArchive ? aiNewsOf(date) : [] };
	const nothing = '今日暂无重大 AI 资讯';
	return describe(
		data,
		() =>
			`AI 资讯快报（${data.date}）\n\n${
				numbered(
					data.news.map(
						(item) => `${item.title}\n\n${item.detail}（来自: ${item.source}）\n\n> 详情: ${item.link}\n`,
					),
				) || nothing
			}`,
		() =>
			`# AI 资讯快报\n\n> ${data.date}\n\n${
				data.news
					.map((item) => `### [${item.title}](${item.link})\n\n${item.detail}\n\n*来源: ${item.source}*`)
					.join('\n\n') || nothing
			}`,
	);
}

const techOrders: Record<string, string> = { new: '最新', top: '热门', best: '最佳' };

function techNews({ parameters, path, now, today }: Call): Answer {
	const type = path['type'] ?? '';
	const order = techOrders[type];
	if (order === undefined) throw noSuchPath(404);
	const asked = parameters.integer('limit', 10);
	const limit = Math.min(Math.max(Number.isNaN(asked) ? 10 : asked, 1), 35);
	const dice = new Dice('tech-news', type, today);
	const dayStart = timeAt(today);
	// Scores grow every minute: force-update returns the current scores, otherwise those of the start of the day.
	const minutes = parameters.has('force-update') ? Math.floor((now - dayStart) / 60_000) : 0;
	const data = dice.shuffle(techTitles).map((title) => {
		const id = dice.integer(40_000_000, 49_999_999);
		return {
			id,
			title,
			link: `https://tech-forum.example/item?id=${id}`,
			score: dice.integer(12, 980) + minutes,
			author: `${dice.pick(['quiet', 'amber', 'north', 'paper', 'copper'])}_${dice.pick(['fox', 'lamp', 'river', 'gear', 'owl'])}`,
			...stamps('created', dayStart - dice.integer(60_000, dayInMs)),
		};
	});
	const byOrder = type === 'new' ? 'created_at' : 'score';
	const list = data.sort((one, other) => other[byOrder] - one[byOrder]).slice(0, limit);
	return describe(
		list,
		() =>
			`科技论坛 ${order}\n\n${numbered(list.map((item) => `${item.title} (${item.score} points)\n${item.link}`))}`,
		() =>
			`# 科技论坛 ${order}\n\n${numbered(list.map((item) => `[${item.title}](${item.link}) \`${item.score}\``))}`,
	);
}

/** The almanac uses the month and day of any date; an invalid date means today. */
function todayInHistory({ parameters, today }: Call): Answer {
	const asked = parameters.text('date', today);
	const date = isDate(asked) ? asked : today;
	const dice = new Dice('today-in-history', date.slice(5));
	const items = dice
		.sample(almanacEvents, 8)
		.map(({ title, description, type }) => ({
			title,
			year: String(dice.integer(1650, 2015)),
			description,
			event_type: type,
			link: `https://almanac.example/${date.slice(5)}/${dice.integer(100, 999)}`,
		}))
		.sort((one, other) => Number(one.year) - Number(other.year));
	const data = { date: date.slice(5), month: Number(date.slice(5, 7)), day: Number(date.slice(8)), items };
	const heading = `历史上的今天 (${data.month}月${data.day}日)`;
	return describe(
		data,
		() => `${heading}\n\n${numbered(items.map((item) => `${item.year}年 ${item.title}`))}`,
		() =>
			`# ${heading}\n\n${items.map((item) => `### ${item.year}年 [${item.title}](${item.link})\n\n${item.description}`).join('\n\n')}`,
	);
}

function wallpaper({ today, fileUrl }: Call): Answer {
	const dice = new Dice('wallpaper', today);
	const place = dice.pick([
		'张家界',
		'喀纳斯湖',
		'元阳梯田',
		'青海湖',
		'黄山',
		'稻城亚丁',
		'呼伦贝尔',
		'北海涠洲岛',
	]);
	const season = dice.pick(['晨雾', '落日', '星空', '初雪', '雨后', '秋色']);
	const data = {
		title: `${place}的${season}`,
		headline: `一眼望尽${season}`,
		description: `${season}中的${place}，山与水在光影里静静铺开。`,
		main_text: `每到这个时节，${place}都会吸引许多旅人。清晨出发，等第一缕光落在远处的山脊上，便是最好的时候。`,
		cover: fileUrl(`wallpaper-${today}-1920x1080.png`),
		cover_4k: fileUrl(`wallpaper-${today}-3840x2160.png`),
		copyright: `© ${place}影像库`,
		...stamps('update_date', timeAt(today)),
	};
	return describe(
		data,
		() => `${data.title}\n\n${data.description}\n\n${data.cover}\n\n${data.copyright}`,
		() =>
			`# ${data.title}\n\n> ${data.headline}\n\n![${data.title}](${data.cover})\n\n${data.main_text}\n\n*${data.copyright}*`,
		{ image: () => ({ kind: 'redirect', address: data.cover }) },
	);
}

/** Group News: the daily digest and its feed, AI news, technology news, the almanac and the daily wallpaper. */
export const newsEndpoints: Endpoint[] = [
	{ path: '/60s', example: '/60s?date=2026-08-21', answer: dailyDigest },
	{ path: '/60s/rss', answer: digestFeed },
	{ path: '/ai-news', answer: aiNewsAnswer },
	{ path: '/tech-news/:type', example: '/tech-news/top', answer: techNews },
	{ path: '/today-in-history', answer: todayInHistory },
	{ path: '/wallpaper', answer: wallpaper },
];

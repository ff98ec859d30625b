import { fuelRegions, goldBanks, goldRecycling, goldStores, metals, perYuan } from './data/prices';
import type { Call, Endpoint } from './endpoint';
import { Dice } from './random';
import { type Answer, Crash, describe, Refusal } from './reply';
import { addDays, dayInMs, stamps, timeAt } from './time';
import { money, table } from './wording';

/** The value of one yuan on a day. All rates are computed from it, so that cross rates are consistent. */
function yuanValue(currency: string, day: number): number {
	const drift = currency === 'CNY' ? 1 : new Dice('exchange-rate', currency, day).decimal(0.985, 1.015, 5);
	return perYuan[currency] * drift;
}

function exchangeRate({ parameters, now }: Call): Answer {
	const base = parameters.text('currency', 'CNY').toUpperCase();
	// The real service crashes on a currency that its source does not know.
	if (!Object.hasOwn(perYuan, base)) throw new Crash('Cannot convert undefined or null to object');
	// Rates are published once a day, just after midnight in UTC.
	const day = Math.floor(now / dayInMs);
	const published = day * dayInMs + 151_000;
	const rateOf = (currency: string) =>
		Number((yuanValue(currency, day) / yuanValue(base, day)).toPrecision(8));
	const currencies = [base, ...Object.keys(perYuan).filter((currency) => currency !== base)];
	const data = {
		base_code: base,
		...stamps('updated', published),
		...stamps('next_updated', published + dayInMs),
		rates: currencies.map((currency) => ({ currency, rate: rateOf(currency) })),
	};
	return describe(
		data,
		() =>
			`${base} 汇率（${data.updated}）\n\n${data.rates.map(({ currency, rate }) => `${currency} => ${rate}`).join('\n')}`,
		() =>
			`# ${base} 汇率\n\n> 更新时间: ${data.updated}\n\n${table(
				['货币', '汇率'],
				data.rates.map(({ currency, rate }) => [`**${currency}**`, rate.toPrecision(6)]),
			)}\n\n*下次更新: ${data.next_updated}*`,
	);
}

function goldPrice({ today }: Call): Answer {
	const dice = new Dice('gold-price', today);
	const opened = timeAt(today);
	const level = dice.decimal(0.985, 1.015, 4);
	const gram = metals[0].price * level;
	const perGram = (price: number) => ({
		price: money(price),
		unit: '元/克',
		formatted: `${money(price)}元/克`,
	});
	const ofToday = { updated: today, updated_at: opened };
	const data = {
		date: today,
		metals: metals.map(({ name, price, unit }) => {
			const now = price * level;
			return {
				name,
				sell_price: money(now * 1.001),
				today_price: money(now),
				high_price: money(now * dice.decimal(1.002, 1.009, 4)),
				low_price: money(now * dice.decimal(0.991, 0.999, 4)),
				unit,
				...stamps('updated', opened),
			};
		}),
		stores: goldStores.map(([brand, premium]) => ({
			brand,
			product: '足金饰品',
			...perGram(gram + premium),
			...ofToday,
		})),
		banks: goldBanks.map(([bank, premium]) => ({
			bank,
			product: '投资金条',
			...perGram(gram + premium),
			time: '00:00:00',
			...stamps('updated', opened),
		})),
		recycle: goldRecycling.map(([type, purity, share]) => ({
			type,
			...perGram(gram * share),
			purity,
			...ofToday,
		})),
	};
	return describe(
		data,
		() =>
			[
				`贵金属价格 (${today})`,
				data.metals.map(({ name, sell_price, unit }) => `${name}: ${sell_price} ${unit}`).join('\n'),
				data.stores.map(({ brand, formatted }) => `${brand}: ${formatted}`).join('\n'),
				data.banks.map(({ bank, formatted }) => `${bank}: ${formatted}`).join('\n'),
				data.recycle.map(({ type, formatted }) => `${type}: ${formatted}`).join('\n'),
			].join('\n\n'),
		() =>
			[
				`# 贵金属价格\n\n**日期**: ${today}`,
				'## 实时行情',
				table(
					['品种', '卖出价', '今日价', '最高价', '最低价'],
					data.metals.map((metal) => [
						metal.name,
						metal.sell_price,
						metal.today_price,
						metal.high_price,
						metal.low_price,
					]),
				),
				'## 金店',
				table(
					['品牌', '品种', '价格'],
					data.stores.map(({ brand, product, formatted }) => [brand, product, formatted]),
				),
				'## 银行金条',
				table(
					['银行', '品种', '价格'],
					data.banks.map(({ bank, product, formatted }) => [bank, product, formatted]),
				),
				'## 回收',
				table(
					['种类', '纯度', '价格'],
					data.recycle.map(({ type, purity, formatted }) => [type, purity, formatted]),
				),
			].join('\n\n'),
	);
}

const grades: ReadonlyArray<readonly [name: string, above92: number]> = [
	['89# 汽油', -0.52],
	['92# 汽油', 0],
	['95# 汽油', 0.49],
	['98# 汽油', 1.99],
	['0# 柴油', -0.37],
];
// Prices are reviewed every two weeks, counted from this date.
const firstReview = '2024-01-03';
const reviewDays = 14;

/** The date of the next review, today at the earliest. */
function nextReview(today: string): string {
	const passed = Math.round((timeAt(today) - timeAt(firstReview)) / dayInMs);
	return addDays(today, (reviewDays - (passed % reviewDays)) % reviewDays);
}

function fuelTrend(today: string) {
	const date = nextReview(today);
	const dice = new Dice('fuel-trend', date);
	const ton = dice.integer(40, 260) * (dice.next() < 0.5 ? -1 : 1);
	// A metric ton of gasoline is 1200 to 1400 liters.
	const perLitre = [Math.abs(ton) / 1400, Math.abs(ton) / 1200].map((change) => Number(change.toFixed(2)));
	const [low = 0, high = 0] = perLitre;
	const direction = ton < 0 ? '下跌' : '上涨';
	const byTon = `${Math.abs(ton)} 元/吨`;
	const byLitre = `${money(low)}-${money(high)} 元/升`;
	return {
		next_adjustment_date: date,
		direction,
		change_ton: Math.abs(ton),
		change_ton_desc: byTon,
		change_liter_min: low,
		change_liter_max: high,
		change_liter_desc: byLitre,
		description: `下次油价 ${date} 24 时调整，预计${direction} ${byTon}（${byLitre}）`,
	};
}

/** Finds the shortest region whose name ends with the requested name; an unknown region is HTTP 200 with code 400. */
function fuelPrice({ parameters, today, now }: Call): Answer {
	const asked = parameters.text('region', '北京');
	const found = [...fuelRegions]
		.sort(([one], [other]) => one.length - other.length)
		.find(([region]) => region.endsWith(asked));
	if (!found) throw new Refusal(200, 400, `暂不支持 ${asked} 区域查询`);
	const [region, difference] = found;
	const reviewed = addDays(nextReview(today), -reviewDays);
	const level = new Dice('fuel-price', reviewed).decimal(7.1, 8.1, 2) + difference;
	const data = {
		region,
		trend: fuelTrend(today),
		items: grades.map(([name, above]) => {
			const price = Number((level + above).toFixed(2));
			return { name, price, price_desc: `${money(price)} 元/升` };
		}),
		link: `https://fuel.example/${encodeURIComponent(region)}`,
		// The cache is refreshed once a day; force-update refreshes it now.
		...stamps('updated', parameters.has('force-update') ? now : timeAt(today)),
	};
	return describe(
		data,
		() =>
			`今日油价 (${region})\n\n${data.items.map(({ name, price_desc }) => `${name}: ${price_desc}`).join('\n')}\n\n` +
			`${data.trend.description}\n\n更新时间: ${data.updated}`,
		() =>
			`# 今日油价 (${region})\n\n${data.items.map(({ name, price_desc }) => `- **${name}**: ${price_desc}`).join('\n')}\n\n` +
			`> ${data.trend.description}\n\n更新时间: ${data.updated}`,
	);
}

/** Group Prices: exchange rates, precious metals and fuel. */
export const priceEndpoints: Endpoint[] = [
	{ path: '/exchange-rate', example: '/exchange-rate?currency=USD', answer: exchangeRate },
	{ path: '/gold-price', answer: goldPrice },
	{ path: '/fuel-price', example: '/fuel-price?region=上海', answer: fuelPrice },
];

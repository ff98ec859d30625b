import { text, type UtilityEntry } from './utility';

export const prices: UtilityEntry[] = [
	{
		value: 'exchangeRates',
		name: 'Exchange Rates',
		action: 'get many exchange rates',
		description:
			'Value of one unit of a currency in other currencies; cryptocurrencies only where the gateway has them',
		searchWords: [
			'bitcoin',
			'crypto',
			'cny',
			'exchange rate',
			'currency',
			'currency converter',
			'forex',
			'汇率',
		],
		path: '/v2/apis/exchange-rate',
		output: {
			fields: ['base_code', 'updated_at', 'next_updated_at', 'rates'],
			lists: { rates: ['currency', 'rate'] },
		},
		parameters: [
			text('currency', 'Base Currency', 'e.g. EUR', 'Three-letter code of the currency to convert from', {
				upfront: 'telling',
				default: 'CNY',
			}),
			text(
				'targets',
				'Target Currencies',
				'e.g. EUR, USD',
				'Codes of the currencies to return, separated by commas. Leave empty for all, more than a hundred items.',
				{
					upfront: 'optional',
					keeps: { list: 'rates', field: 'currency' },
					displayOptions: { show: { encoding: ['json'], simplify: [true] } },
				},
			),
		],
	},
	{
		value: 'goldPrices',
		name: 'Gold Prices',
		action: 'get many gold prices',
		description: 'Prices of gold and other precious metals at shops, at banks, and for recycling, in Chinese',
		searchWords: ['gold price', 'precious metals', '金价', '今日金价'],
		path: '/v2/apis/gold-price',
		output: {
			lists: {
				metals: [
					'name',
					'sell_price',
					'today_price',
					'high_price',
					'low_price',
					'unit',
					'^date',
					'updated_at',
				],
				stores: ['brand', 'product', 'price', 'unit', 'formatted', '^date', 'updated_at'],
				banks: ['bank', 'product', 'price', 'unit', 'formatted', '^date', 'updated_at'],
				recycle: ['type', 'price', 'unit', 'formatted', 'purity', '^date', 'updated_at'],
			},
			numbers: ['sell_price', 'today_price', 'high_price', 'low_price', 'price'],
		},
	},
	{
		value: 'fuelPrices',
		name: 'Fuel Prices',
		action: 'get many fuel prices',
		description: 'Gasoline and diesel prices in a region, and their next change, in Chinese',
		searchWords: ['fuel price', 'petrol price', 'gas price', '油价', '今日油价'],
		path: '/v2/apis/fuel-price',
		output: {
			lists: {
				items: [
					'name',
					'price',
					'price_desc',
					'^region',
					'^trend.direction',
					'^trend.change_liter_desc',
					'^trend.next_adjustment_date',
					'^updated_at',
					'^link',
				],
			},
		},
		parameters: [
			text(
				'region',
				'Region',
				'e.g. 上海',
				'Name of the region, best in Chinese characters. Leave empty for the default region of the gateway.',
				{ upfront: 'telling' },
			),
		],
	},
];

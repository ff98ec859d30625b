import type { Random } from './random';

export type Answer = Record<string, unknown> | Array<Record<string, unknown>>;

/** What a workflow asks a model for: a JSON Schema, and answers that match it. */
export interface Wish {
	schema: Record<string, unknown>;
	answer: (random: Random) => Answer;
	/** Fields of the answer, or of its first entry, whose values have the right type and are not allowed. */
	outside: Record<string, unknown[]>;
}

/** All fields are required, and no others are allowed. */
const object = (properties: Record<string, unknown>) => ({
	type: 'object',
	required: Object.keys(properties),
	additionalProperties: false,
	properties,
});
const list = (items: unknown) => ({ type: 'array', items });
const text = { type: 'string' };
const optionalText = { type: ['string', 'null'] };

/** With everything that is difficult in a string: what begins a comment, brackets, quotation marks, commas. */
const SENTENCES = [
	'The delivery came 3 days late.',
	"It's the customer's third complaint, and they're right",
	'See https://example.com/orders/17#status for the state',
	'He said "never again", then ordered {2} more [of the large ones]',
	'First line\nSecond line\n\tindented third line',
	'退款已处理，请查收：订单 #12',
	'100 % True, None of it // false',
	'Größe "L", naïve café, 5 € /* net */',
	'C:\\temp\\new, \\d+ and a final comma,',
	'',
];
const WORDS = [
	'late',
	'refund',
	"can't open",
	'damaged box',
	'très cher',
	'发货',
	'size: L',
	'null',
	'#urgent',
];
const sentence = (random: Random) => random.pick(SENTENCES);
const word = (random: Random) => random.pick(WORDS);
const amount = (random: Random) => random.integer(1, 99_999) / 100;

const REVIEW: Wish = {
	schema: object({
		category: { enum: ['praise', 'complaint', 'question'] },
		score: { type: 'integer', minimum: 0, maximum: 5 },
		summary: text,
		tags: list(text),
		answered: { type: 'boolean' },
	}),
	answer: (random) => ({
		category: random.pick(['praise', 'complaint', 'question']),
		score: random.integer(0, 5),
		summary: sentence(random),
		tags: random.list(0, 4, () => word(random)),
		answered: random.chance(),
	}),
	outside: { score: [6, -1], category: ['Beschwerde', '投诉', ''] },
};

const INVOICE: Wish = {
	schema: object({
		number: { type: 'string', pattern: '^R-[0-9]{4}$' },
		customer: object({ name: text, country: text }),
		lines: list(object({ item: text, quantity: { type: 'integer', minimum: 1 }, price: { type: 'number' } })),
		paid: { type: 'boolean' },
		note: optionalText,
	}),
	answer: (random) => ({
		number: `R-${random.integer(1000, 9999)}`,
		customer: {
			name: random.pick(["O'Neill & Sons", 'Ada GmbH', '上海贸易公司']),
			country: random.pick(['IE', 'DE', 'CN']),
		},
		lines: random.list(1, 3, () => ({
			item: sentence(random),
			quantity: random.integer(1, 20),
			price: amount(random),
		})),
		paid: random.chance(),
		note: random.chance() ? null : sentence(random),
	}),
	outside: { number: ['17', 'R-12', ' R-1234'], lines: [[{ item: '', quantity: 0, price: 1 }]] },
};

const PEOPLE: Wish = {
	schema: {
		type: 'array',
		minItems: 1,
		items: object({
			name: { type: 'string', minLength: 1 },
			age: { type: 'integer', exclusiveMinimum: 17 },
			email: optionalText,
			member: { type: 'boolean' },
		}),
	},
	answer: (random) =>
		random.list(1, 4, () => ({
			name: random.pick(['Ada Lovelace', "Conan O'Brien", '王伟', 'José "Pepe" Núñez']),
			age: random.integer(18, 90),
			email: random.chance() ? null : `person${random.integer(1, 99)}@example.com`,
			member: random.chance(),
		})),
	outside: { age: [17, 40.5], name: [''] },
};

const CHINESE: Wish = {
	schema: object({
		标题: text,
		关键词: { ...list(text), maxItems: 4, uniqueItems: true },
		情感: { enum: ['正面', '负面', '中性'] },
		置信度: { type: 'number', minimum: 0, maximum: 1 },
		需要回复: { type: 'boolean' },
	}),
	answer: (random) => ({
		标题: sentence(random),
		关键词: [...new Set(random.list(1, 4, () => word(random)))],
		情感: random.pick(['正面', '负面', '中性']),
		置信度: random.integer(0, 100) / 100,
		需要回复: random.chance(),
	}),
	outside: {
		关键词: [
			['a', 'a'],
			['a', 'b', 'c', 'd', 'e'],
		],
		置信度: [1.01, 95],
		情感: ['positive'],
	},
};

const TREE: Wish = {
	schema: {
		...object({ title: text, steps: list({ $ref: '#/$defs/step' }), done: { type: 'boolean' } }),
		$defs: {
			step: object({ action: text, minutes: { type: 'number' }, alternatives: list(list(text)) }),
		},
	},
	answer: (random) => ({
		title: sentence(random),
		steps: random.list(1, 3, () => ({
			action: sentence(random),
			minutes: random.pick([0, -1.5, 12.25, 1e21, 30]),
			alternatives: random.list(0, 2, () => random.list(0, 3, () => word(random))),
		})),
		done: random.chance(),
	}),
	outside: {
		steps: [[{ action: 'Wait' }], [{ action: 'Wait', minutes: 'five', alternatives: [] }], ['Wait']],
	},
};

export const WISHES: Wish[] = [REVIEW, INVOICE, PEOPLE, CHINESE, TREE];

import { KeptTexts } from '../../../nodes/shared/run/paidTexts';
import { PaidGateway } from './paidGateway';

/** The texts of a new try; their results are numbers. */
function textsOf(gateway: PaidGateway, texts: string[], settings: object = {}) {
	const payments = gateway.payments();
	const items = texts.map((_, index) => index);
	const as = {
		toStored: (value: unknown) => value as never,
		fromStored: (stored: unknown) => stored as never,
	};
	const job = {
		texts,
		items,
		request: { model: 'small' },
		isOneItem: false,
		options: {},
		...as,
		...settings,
	};
	return { payments, kept: new KeptTexts(payments, job, gateway.base) };
}
const ONE = 1 as never;

describe('Texts that share requests', () => {
	it('are known in the next try, one by one', async () => {
		const gateway = new PaidGateway();
		await textsOf(gateway, ['a', 'b']).kept.keep('a', ONE);
		const { kept, payments } = textsOf(gateway, ['b', 'a']);
		expect([await kept.find('a'), await kept.find('b')]).toEqual([{ value: 1 }, undefined]);
		expect([...payments.reusedItems]).toEqual([1]);
	});

	it('are not known for another request', async () => {
		const gateway = new PaidGateway();
		await textsOf(gateway, ['a']).kept.keep('a', ONE);
		const { kept } = textsOf(gateway, ['a'], { request: { model: 'large' } });
		expect(await kept.find('a')).toBeUndefined();
	});

	it('belong to all items with this text', async () => {
		const gateway = new PaidGateway();
		const { kept } = textsOf(gateway, ['a', 'b', 'a']);
		expect(kept.itemsOf(['a'])).toEqual([0, 2]);
		expect(kept.itemsOf(['b', 'a', 'b'])).toEqual([1, 0, 2]);
		expect(kept.itemsOf(['unknown'])).toEqual([]);
		await kept.keep('a', ONE);
		const again = textsOf(gateway, ['a', 'b', 'a']);
		await again.kept.find('a');
		expect([...again.payments.reusedItems]).toEqual([0, 2]);
	});

	it('of one item are not shared with other items', async () => {
		const gateway = new PaidGateway();
		const one = { isOneItem: true, items: [0, 0, 0] };
		const { kept } = textsOf(gateway, ['a', 'b', 'a'], one);
		expect(kept.itemsOf(['a', 'b'])).toEqual([0]);
		await kept.keep('a', ONE);
		const other = textsOf(gateway, ['a'], { isOneItem: true, items: [1] });
		expect(await other.kept.find('a')).toBeUndefined();
		expect(await textsOf(gateway, ['a', 'b', 'a'], one).kept.find('a')).toEqual({ value: 1 });
	});
});

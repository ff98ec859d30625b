import type * as requestBody from '../../../nodes/shared/http/requestBody';
import { EmbeddedFile, type RequestBody } from '../../../nodes/shared/http/requestBody';
import { KeptTexts, type SharedTexts } from '../../../nodes/shared/runtime/keptTexts';
import type { Payments } from '../../../nodes/shared/runtime/payments';
import { multipartBody } from '../../../nodes/VoiceModel/voiceForm';
import { ask, PaidGateway } from './paidGateway';

let gateway: PaidGateway;
beforeEach(() => {
	gateway = new PaidGateway();
});

describe('A request with files', () => {
	const file = (identity: string) => ({ size: 3, identity, open: async () => Buffer.from('abc') });
	const image = (identity: string) => ({ json: { images: [new EmbeddedFile(file(identity))] } });
	const form = (identity: string) => ({
		body: multipartBody([
			{ field: 'name', text: 'Ann' },
			{ field: 'audio_files', fileName: 'a.wav', contentType: 'audio/wav', source: file(identity) },
		]),
	});

	it.each([
		['in JSON', image],
		['in a form', form],
	])('%s is the same with the same file, and another one with another file', async (_where, request) => {
		await ask(gateway.payments(), [0], request('id-1'));
		expect((await ask(gateway.payments(), [0], request('id-1'))).isReused).toBe(true);
		expect((await ask(gateway.payments(), [0], request('id-2'))).isReused).toBe(false);
	});

	it('is the same after n8n was restarted, although placeholders differ then', async () => {
		await ask(gateway.payments(), [0], image('id-1'));
		let again: RequestBody | undefined;
		jest.isolateModules(() => {
			const fresh = jest.requireActual<typeof requestBody>('../../../nodes/shared/http/requestBody');
			again = fresh.jsonBody({ images: [new fresh.EmbeddedFile(file('id-1'))] });
		});
		expect((await ask(gateway.payments(), [0], { body: again })).isReused).toBe(true);
	});

	it('is another one with the same files in another order', async () => {
		const pair = (...ids: string[]) => ({ json: ids.map((id) => new EmbeddedFile(file(id))) });
		await ask(gateway.payments(), [0], pair('id-1', 'id-2'));
		expect((await ask(gateway.payments(), [0], pair('id-2', 'id-1'))).isReused).toBe(false);
	});

	it('has no boundary, file name or text in what is kept', async () => {
		await ask(gateway.payments(), [0], form('id-1'));
		await ask(gateway.payments(), [0], { json: { prompt: 'a secret prompt' } });
		expect(JSON.stringify(gateway.context)).not.toMatch(/secret|id-1|boundary/);
	});
});

describe('Texts that share requests', () => {
	const kept = (payments: Payments, settings: Partial<SharedTexts> = {}) =>
		new KeptTexts<number>(payments, {
			texts: ['a', 'b', 'a'],
			items: [0, 1, 2],
			request: 'model 1',
			isOneItem: false,
			...settings,
		});

	it('belong to all items that have them', () => {
		const texts = kept(gateway.payments());
		expect(texts.itemsOf(['a'])).toEqual([0, 2]);
		expect(texts.itemsOf(['b', 'a'])).toEqual([1, 0, 2]);
		expect(texts.itemsOf(['text'])).toEqual([]);
	});

	it('are known one by one in the next try', async () => {
		kept(gateway.payments()).keep('a', 1);
		const payments = gateway.payments();
		const texts = kept(payments, { texts: ['b', 'a'], items: [0, 1] });
		expect(await texts.find('a')).toBe(1);
		expect([await texts.find('b'), await texts.find('c')]).toEqual([undefined, undefined]);
		expect([...payments.reusedItems]).toEqual([1]);
	});

	it('are not known for another request', async () => {
		kept(gateway.payments()).keep('a', 1);
		expect(await kept(gateway.payments(), { request: 'model 2' }).find('a')).toBeUndefined();
	});

	it('are not shared between items whose texts belong together', async () => {
		const one = { texts: ['a', 'b'], items: [3, 3], isOneItem: true };
		kept(gateway.payments(), one).keep('a', 1);
		expect(await kept(gateway.payments(), one).find('a')).toBe(1);
		expect(await kept(gateway.payments(), { ...one, items: [4, 4] }).find('a')).toBeUndefined();
		expect(await kept(gateway.payments()).find('a')).toBeUndefined();
	});
});

import type * as requestBody from '../../../nodes/shared/send/requestBody';
import { EmbeddedFile, type RequestBody } from '../../../nodes/shared/send/requestBody';
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
			const fresh = jest.requireActual<typeof requestBody>('../../../nodes/shared/send/requestBody');
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

import type { IDataObject } from 'n8n-workflow';
import { operations, OPERATIONS, useChat, type Operation } from '../engine/useChat';

const chat = useChat(5e7);

/** The details of the failed item, after a single request. */
async function detailsOf(
	operation: Operation,
	parameters: object = { options: { stream: true } },
): Promise<IDataObject> {
	const { items } = await chat.run(operation, parameters, {}, { onError: 'continueRegularOutput' });
	expect(chat.emulator.journal.count()).toBe(1);
	expect(items[0].json).toHaveProperty('error');
	return items[0].json.details as IDataObject;
}

const sends = (body: unknown, contentType?: string) =>
	chat.emulator.behaviour.set('POST /v1/*', {
		faults: [{ kind: 'status', status: 200, body, contentType }],
	});
const sendsEvents = (...events: unknown[]) =>
	sends(events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''), 'text/event-stream');
const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] });

describe('Streams of Unified AI Chat', () => {
	it.each(operations)('for %s that are cut off keep the reasoning', async (operation) => {
		const afterEvents = { chatCompletion: 3, message: 4, generateContent: 1 }[operation];
		chat.emulator.behaviour.set(OPERATIONS[operation], {
			answer: { thinking: 'Blue light is scattered more.', texts: ['Because of the air.'] },
			faults: [{ kind: 'cut', afterEvents }],
		});
		expect(await detailsOf(operation)).toMatchObject({
			kind: 'interrupted',
			partial: { reasoning: expect.stringMatching(/^Blue/) },
		});
	});

	it('fail for a damaged event, and keep it with all other text', async () => {
		const [one, two] = ['One', 'Two'].map((content) => JSON.stringify(delta({ content })));
		const damaged = two.slice(0, -10);
		const events = [one, damaged, two, '[DONE]'].map((event) => `data: ${event}\n\n`);
		sends(events.join(''), 'text/event-stream');
		expect(await detailsOf('chatCompletion')).toMatchObject({
			kind: 'answer',
			partial: { text: 'OneTwo', event: damaged },
		});
	});

	it('tell an overload of the gateway from a rate limit', async () => {
		const error = { type: 'overloaded_error', message: 'Overloaded' };
		sendsEvents(delta({ content: 'One' }), { type: 'error', error });
		expect(await detailsOf('chatCompletion')).toMatchObject({
			kind: 'gateway',
			status: 529,
			gatewayMessage: 'Overloaded',
			mayHaveBeenCarriedOut: true,
			partial: { text: 'One' },
		});
	});
});

describe('Unified AI Chat', () => {
	it('keeps an answer with status 200 that is also an error', async () => {
		const choices = [{ index: 0, message: { content: 'One' }, finish_reason: 'stop' }];
		sends({ choices, error: { message: 'The account is out of credit' } }, 'application/json');
		expect(await detailsOf('chatCompletion', {})).toMatchObject({
			kind: 'request',
			gatewayMessage: 'The account is out of credit',
			mayHaveBeenCarriedOut: true,
			partial: { answer: { choices } },
		});
	});
});

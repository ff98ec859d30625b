import { Readable } from 'node:stream';
import { answerFailure } from '../../../nodes/shared/errors/errorMessages';
import type { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { statusFailure } from '../../../nodes/shared/errors/statusFailure';
import { GatewayClient } from '../../../nodes/shared/send/client';
import { type Endpoint, endpoints } from '../../../nodes/shared/send/endpoints';
import { GOOD, gatewayWith } from './fakeGateway';

describe('A failure that a reader finds', () => {
	/** Sends a request whose reader fails with each of these failures in turn, and then succeeds. */
	const readWith = async (failures: GatewayFailure[], endpoint: Endpoint = endpoints.models) => {
		const { sent, context, clock } = gatewayWith([GOOD, GOOD, GOOD]);
		const client = await GatewayClient.of(context.execute, { clock });
		const left = [...failures];
		const read = async () =>
			await (left.length > 0 ? Promise.reject(left.shift()!) : Promise.resolve('good'));
		const result: unknown = await clock
			.run(client.send({ endpoint, json: endpoint.method === 'POST' ? {} : undefined }, read))
			.catch((error: unknown) => error);
		return { result, requests: sent.length };
	};

	it('is final', async () => {
		const failure = answerFailure('it is empty');
		expect(await readWith([failure])).toEqual({ result: failure, requests: 1 });
	});

	it('counts like the failing status that it stands for', async () => {
		const busy = statusFailure({ status: 429, gatewayMessage: 'Slow down' });
		expect(await readWith([busy, busy], endpoints.images)).toEqual({ result: 'good', requests: 3 });
		const rejected = statusFailure({ status: 400, gatewayMessage: 'No' });
		expect(await readWith([rejected], endpoints.images)).toMatchObject({
			result: { kind: 'request', message: 'The gateway rejected the request: No', facts: { attempts: 1 } },
			requests: 1,
		});
		const unclear = statusFailure({ status: 502 });
		expect(await readWith([unclear], endpoints.images)).toMatchObject({
			result: { kind: 'gateway', facts: { mayHaveBeenCarriedOut: true } },
			requests: 1,
		});
	});

	it('is final when a part of the answer had arrived', async () => {
		const begun = statusFailure({ status: 429, mayHaveBeenCarriedOut: true });
		expect(await readWith([begun], endpoints.images)).toEqual({ result: begun, requests: 1 });
	});

	it.each([
		[400, 1],
		[0, 4],
	])('is final when it reports tokens of output: %i', async (tokens, requests) => {
		const body = { error: { code: 500 }, usage: { completion_tokens: tokens } };
		const { sent, context, clock } = gatewayWith([{ body }]);
		const client = await GatewayClient.of(context.execute, { clock });
		const asked = clock.run(client.json({ endpoint: endpoints.chatCompletions, json: {} }));
		await expect(asked).rejects.toMatchObject({
			facts: { status: 500, mayHaveBeenCarriedOut: tokens > 0 ? true : undefined },
		});
		expect(sent).toHaveLength(requests);
	});

	it('charges nothing for a request that only reads, whatever else arrived', async () => {
		const besideContent = statusFailure({ status: 200, gatewayMessage: 'x', mayHaveBeenCarriedOut: true });
		const { result } = await readWith([besideContent]);
		expect(result).toMatchObject({ message: expect.stringMatching(/: x$/) });
		expect(JSON.stringify(result)).not.toMatch(/charged|Retry Even If|mayHaveBeenCarriedOut":true/);
	});

	it('says that a paid answer was probably charged for', async () => {
		expect((await readWith([answerFailure('it is empty')], endpoints.images)).result).toMatchObject({
			description: expect.stringContaining('has probably charged for it'),
			facts: { mayHaveBeenCarriedOut: true },
		});
	});

	it('leaves the body of the answer destroyed', async () => {
		const body = Readable.from([Buffer.from('a'), Buffer.from('b')]);
		const { context, clock } = gatewayWith([{ body }]);
		const client = await GatewayClient.of(context.execute, { clock });
		await clock.run(client.send({ endpoint: endpoints.models }, async () => 'enough'));
		expect(body.destroyed).toBe(true);
	});
});

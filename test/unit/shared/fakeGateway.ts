import { GatewayClient, type GatewayRequest } from '../../../nodes/shared/send/client';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { FakeClock } from '../fakeClock';
import { FakeContext, type FakeAnswer, type FakeSettings } from './fakeContext';

export const BUSY: FakeAnswer = { status: 503, body: { error: { message: 'Busy', type: 'server' } } };
export const GOOD: FakeAnswer = { body: { text: 'Hello' } };
export const networkError = (code: string, syscall: string) =>
	Object.assign(new Error(code), { code, syscall, request: { socket: null, res: null } });

let credentials = 0;
/** A gateway that answers with these answers in turn, and then with the last one again. */
export function gatewayWith(answers: Array<FakeAnswer | Error>, settings: FakeSettings = {}) {
	const clock = new FakeClock();
	const startedAt = clock.now();
	const times: number[] = [];
	const respond = () => {
		times.push(clock.now() - startedAt);
		const answer = answers[Math.min(times.length, answers.length) - 1];
		if (answer instanceof Error) throw answer;
		return answer;
	};
	// Each credential has its own pace.
	const apiKey = `secret-key-${++credentials}`;
	const context = new FakeContext({ respond, ...settings, credential: { apiKey, ...settings.credential } });
	const send = async (request: Partial<GatewayRequest> = {}) => {
		const client = await GatewayClient.of(context.execute, { clock });
		const all = { endpoint: endpoints.chatCompletions, json: { prompt: 'Hi' }, ...request };
		return await clock.run(client.json(all));
	};
	return { context, clock, times, send, sent: context.sent };
}

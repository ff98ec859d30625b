import { systemClock } from '../../../nodes/shared/limiter/clock';
import { chosen } from '../engine/chosen';
import { useChat } from '../engine/useChat';

const chat = useChat();

/** How far the nodes' clock is ahead: a pause of a model ends when it is moved on. */
let ahead = 0;
const { now } = systemClock;
beforeAll(() => void jest.spyOn(systemClock, 'now').mockImplementation(() => now() + ahead));
afterAll(() => jest.restoreAllMocks());

const [FIRST, SECOND] = ['aurora-4', 'sonata-3-large'];
const ask = async (model: string) => {
	const fallbackModels = { model: [{ model: chosen(SECOND) }] };
	const options = { fallbackModels, maxRetries: 0, maxRateLimitRetries: 0 };
	return await chat.ask('chatCompletion', { model: chosen(model), options });
};
const failing = (...models: string[]) => {
	const fault = { kind: 'status', status: 503, times: 'always' } as const;
	const faults = models.map((model) => ({ ...fault, when: `"model":"${model}"` }));
	chat.emulator.behaviour.set('POST /v1/*', { faults });
};

it('A fallback model that has failed is asked after its pause, even if the first model has answered since', async () => {
	failing('prisma-2-pro', SECOND);
	expect((await ask('prisma-2-pro')).error?.message).toContain('status 503');
	failing();
	const { items: answered } = await ask(FIRST);
	expect(answered[0].json).not.toHaveProperty('unavailableModels');
	ahead += 31_000;
	await ask(FIRST);
	failing(FIRST);
	const { items, error } = await ask(FIRST);
	expect(error).toBeUndefined();
	expect(items[0].json).toMatchObject({ model: SECOND, unavailableModels: [{ model: FIRST }] });
});

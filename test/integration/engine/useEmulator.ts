import { type Emulator, type EmulatorOptions, type Rule, startEmulator } from '../../../emulator';

const FIRST_RATE = 1e7;

/** Starts an emulator for the tests of a file. Each test begins with a new journal and no rules. */
export function useEmulator(options: EmulatorOptions = {}) {
	let emulator: Emulator;
	let rate = FIRST_RATE;

	beforeAll(async () => {
		emulator = await startEmulator(options);
		// With this check, a field that a node misspells is noticed.
		emulator.behaviour.checksUndocumented = true;
	});
	afterAll(async () => await emulator.close());
	const reset = () => {
		rate += 1;
		emulator.behaviour.reset();
		emulator.journal.clear();
	};
	beforeEach(reset);

	return {
		get emulator() {
			return emulator;
		},
		/** Starts again with a new journal and no rules, for a test with several runs. */
		reset,
		/** Adds faults that affect the next requests of a route. */
		fail: (route: string, ...faults: NonNullable<Rule['faults']>) => {
			emulator.behaviour.set(route, { faults });
		},
		/** What is learned about a credential is kept, so each test has a different one, by its requests per minute. */
		credential: () => ({ baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: rate }),
		/** Returns the bodies of the requests to a route. */
		sent: (route = 'POST /*') =>
			emulator.journal.entries(route).map(({ body }) => body as Record<string, unknown>),
	};
}

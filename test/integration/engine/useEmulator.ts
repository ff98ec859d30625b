import type { Emulator, EmulatorOptions, Rule } from '../../../emulator';
import { startStrictEmulator } from './strictEmulator';

/**
 * An emulator for the tests of a file; each of them begins with a new journal and no rules.
 *
 * @param firstRate requests per minute of the first test. The learned rate of a credential is kept, so each test uses a
 *   different credential, with a rate of its own.
 */
export function useEmulator(firstRate: number, options: EmulatorOptions = {}) {
	let emulator: Emulator;
	let rate = firstRate;

	beforeAll(async () => {
		emulator = await startStrictEmulator(options);
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
		/** Begins anew, for a test with several runs. */
		reset,
		/** Lets faults hit the next requests of a route. */
		fail: (route: string, ...faults: NonNullable<Rule['faults']>) => {
			emulator.behaviour.set(route, { faults });
		},
		credential: () => ({ baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: rate }),
	};
}

import { openStage, type Stage } from '../../tools/host/stage';
import { readServerSettings } from './serverSettings';

/** The n8n that the tests of a file use. */
export type ServerUnderTest = Omit<Stage, 'close'>;

export const apiKey = 'sk-server-test-0123456789';

/**
 * Starts one server for all tests of a file, with the settings from the command line of `npm run test:server`. The
 * returned object is filled before the first test. After each test, the emulator gets a new journal and has no rules.
 *
 * @param environment additional environment variables of n8n, read whenever it starts
 */
export function useServer(environment?: NodeJS.ProcessEnv): ServerUnderTest {
	const stage = {} as Stage;

	beforeAll(async () => {
		await openStage({ apiKey, ...readServerSettings(process.env), environment }, stage);
	});

	afterEach(() => {
		stage.emulator.behaviour.reset();
		stage.emulator.journal.clear();
	});

	afterAll(async () => {
		// A stage whose setup failed has already closed itself.
		await stage.close?.();
	});

	return stage;
}

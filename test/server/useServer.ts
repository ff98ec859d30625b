import { openStage, type Stage } from '../../tools/host/stage';
import { readServerSettings } from './serverSettings';

/** The object that the tests of a file use. */
export type ServerUnderTest = Omit<Stage, 'close'>;

export const apiKey = 'sk-server-test-0123456789';

/**
 * One server for all tests of a file, as the command line of `npm run test:server` asks for it; the object is filled
 * before the first test.
 */
export function useServer(): ServerUnderTest {
	const stage = {} as Stage;

	beforeAll(async () => {
		await openStage({ apiKey, ...readServerSettings(process.env) }, stage);
	});

	afterAll(async () => {
		// A stage that could not be set up has closed itself.
		await stage.close?.();
	});

	return stage;
}

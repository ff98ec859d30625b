/** The older engines in which the tests run. Each has a folder with its packages here. */
export const CORES = ['2.0.0', '2.20.0'];

/**
 * The tests that run in older engines for every change: one file for each node, and those that depend on
 * `nodes/shared/olderEngines.ts`. With `npm run nightly`, the other engine tests run in them as well.
 */
export const SMOKE = [
	'Account/account.test.ts',
	'Chat/files.test.ts',
	'Chat/requests.test.ts',
	'Chat/dialogues.test.ts',
	'Embed/embed.test.ts',
	'Image/image.test.ts',
	'Music/music.test.ts',
	'Rerank/rerank.test.ts',
	'Speech/speech.test.ts',
	'Utilities/utilities.test.ts',
	'VoiceModel/voiceModel.test.ts',
	'engine/subNodes.test.ts',
	'faults/sentOrNot.test.ts',
	'paidOnce/retry.test.ts',
].map((file) => `test/integration/${file}`);

/** The older engines that the tests run in; each has a folder with its packages here. */
export const CORES = ['2.0.0', '2.20.0'];

/**
 * What runs in them for every change: one file for each node, and what depends on `nodes/shared/olderEngines.ts`. The
 * rest of the engine tests runs in them with `npm run nightly`.
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

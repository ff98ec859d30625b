/** What the page of the interface says, as data. */

/** A test: an abbreviation of `TEST_FILES`, and the title of a test or of a group of tests in that file. */
export type TestName = readonly [file: keyof typeof TEST_FILES, title: string];

/**
 * Where something of the interface is in the nodes: the node without "Unified AI", its operation, and the labels of a
 * parameter or an output field in braces, such as `Speech › Create › Options › Speed` or `Image › Generate › {url}`.
 * Anything else begins with `=` and is shown as it is.
 */
export type Place = string;

/** One thing that the interface document says. */
export interface InterfaceRow {
	/** The first cell of a row of a table of the document, or a part of one of its lines, word for word. */
	item: string;
	where: readonly Place[];
	test: TestName;
	/** Why the nodes do otherwise, or nothing, on purpose. */
	reason?: string;
}

/** The rows of one section of the document. */
export interface InterfaceSection {
	/** For example `4.5`; `0` for what comes before the first section. */
	number: string;
	title: string;
	rows: readonly InterfaceRow[];
}

/** A place of the document that can be read in two ways. */
export interface OpenPlace {
	section: string;
	what: string;
	/** What the nodes do unless they are told otherwise. */
	taken: string;
	other: string;
	/** Parameters with which to get the other reading. */
	parameters: readonly Place[];
	test: TestName;
}

type Entry = readonly [item: string, where: Place | readonly Place[], test: TestName, reason?: string];

/** Builds a section from its entries. */
export function section(number: string, title: string, entries: readonly Entry[]): InterfaceSection {
	return {
		number,
		title,
		rows: entries.map(([item, where, test, reason]) => ({
			item,
			where: typeof where === 'string' ? [where] : where,
			test,
			...(reason === undefined ? {} : { reason }),
		})),
	};
}

const integration = 'test/integration';
const unit = 'test/unit';

/** The files with the tests that prove the rows. */
export const TEST_FILES = {
	account: `${integration}/Account/account.test.ts`,
	chatBatches: `${integration}/Chat/batches.test.ts`,
	chatFiles: `${integration}/Chat/files.test.ts`,
	chat: `${integration}/Chat/operations.test.ts`,
	chatRefusals: `${integration}/Chat/refusals.test.ts`,
	chatAnswers: `${unit}/Chat/answers.test.ts`,
	chatStreams: `${unit}/Chat/streams.test.ts`,
	embed: `${integration}/Embed/embed.test.ts`,
	image: `${integration}/Image/image.test.ts`,
	imageBatches: `${integration}/Image/batches.test.ts`,
	imageRequest: `${unit}/Image/request.test.ts`,
	music: `${integration}/Music/music.test.ts`,
	musicTask: `${unit}/Music/musicTask.test.ts`,
	rerank: `${integration}/Rerank/rerank.test.ts`,
	rerankScores: `${unit}/Rerank/scores.test.ts`,
	speech: `${integration}/Speech/speech.test.ts`,
	voices: `${unit}/shared/voiceList.test.ts`,
	lists: `${unit}/shared/lists.test.ts`,
	voiceModel: `${integration}/VoiceModel/voiceModel.test.ts`,
	utilities: `${integration}/Utilities/utilities.test.ts`,
	utilityOutputs: `${integration}/Utilities/outputs.test.ts`,
	everyUtility: `${integration}/Utilities/everyEndpoint.test.ts`,
	catalogue: `${unit}/Utilities/interface.test.ts`,
	addresses: `${unit}/shared/addresses.test.ts`,
	client: `${unit}/shared/client.test.ts`,
	credential: `${unit}/shared/credential.test.ts`,
	credentialTest: `${integration}/Credential/credentialTest.test.ts`,
	endpoints: `${unit}/shared/endpoints.test.ts`,
	errorBody: `${unit}/shared/errorBody.test.ts`,
	errorMessages: `${unit}/shared/errorMessages.test.ts`,
	retry: `${unit}/shared/retry.test.ts`,
	secrets: `${integration}/secrets/everyPlace.test.ts`,
	requests: `${integration}/emulator/requests.test.ts`,
	strictness: `${integration}/emulator/strictness.test.ts`,
	voiceRoutes: `${integration}/emulator/voiceModels.test.ts`,
	musicRoutes: `${integration}/emulator/music.test.ts`,
} as const;

import type { IBinaryData } from 'n8n-workflow';
import { answerFailure } from '../../shared/errors/errorMessages';
import { peekBytes } from '../../shared/http/byteStream';
import { looksLikeWebPage } from '../../shared/errors/errorBody';
import type { AnswerReader } from '../../shared/http/answerReaders';
import { mediaTypeOf } from '../../shared/http/headers';
import { fileNameFrom } from '../../shared/files/fileName';
import { detectMediaType } from '../../shared/files/mediaTypes';
import { storeFile } from '../../shared/files/storeFile';
import type { Call } from '../../shared/runtime/call';
import type { Track } from './musicTask';
import { allSettledOrThrow, type Semaphore } from '../../shared/runtime/pool';
import type { OutputSettings } from './settings';

/** So much of a title fits into a file name beside the number. */
const MAX_TITLE_LENGTH = 70;

/** The files of tracks, each fetched once per run, however many items ask for it. */
export class TrackFiles {
	private readonly fetched = new Map<string, Promise<IBinaryData>>();

	/** @param places limits the downloads that are under way at once */
	constructor(private readonly places: Semaphore) {}

	/**
	 * Fetches the chosen files of a track at the same time, without credentials, into n8n's binary store.
	 *
	 * @param number of the track within its task, from 1
	 * @param suffix added to the names of the fields
	 * @returns the files by field; a track without a cover gives none
	 * @throws GatewayFailure with the link of the file
	 */
	async of(
		call: Call,
		track: Track,
		number: number,
		{ audioField, coverField }: OutputSettings,
		suffix = '',
	): Promise<Record<string, IBinaryData>> {
		const title = `${[...track.title].slice(0, MAX_TITLE_LENGTH).join('') || 'song'} ${number}`;
		const audioUrl = track.audioUrl || track.streamAudioUrl;
		if (audioField !== undefined && !audioUrl) throw answerFailure('the track has no link to its audio');
		const wanted: Array<[string | undefined, string]> = [
			[audioField, audioUrl],
			[coverField, track.imageUrl],
		];
		const files = await allSettledOrThrow(
			wanted
				.filter(([field, url]) => field !== undefined && url)
				.map(async ([field, url]) => [`${field}${suffix}`, await this.fetch(call, url, title)] as const),
		);
		return Object.fromEntries(files);
	}

	private async fetch(call: Call, url: string, title: string): Promise<IBinaryData> {
		const known = this.fetched.get(url);
		if (known) return await known;
		const { maxRetries } = call.requestOptions;
		const file = this.places.use(
			async () => await call.client.download(url, intoStore(call, title), { maxRetries }),
		);
		this.fetched.set(url, file);
		return await file;
	}
}

function intoStore(call: Call, title: string): AnswerReader<IBinaryData> {
	return async (answer) => {
		const { body } = answer;
		const contentType = mediaTypeOf(answer);
		const firstBytes = await peekBytes(body);
		if (firstBytes.length === 0) throw answerFailure('the file is empty');
		// A store that has lost a file likes to answer with a page or a message, and status 200.
		const isText = /json|html/.test(contentType) && !detectMediaType(firstBytes);
		if (isText || looksLikeWebPage(firstBytes.toString('latin1'))) {
			throw answerFailure(`it is ${contentType || 'a web page'} instead of a file`);
		}
		return await storeFile(call.context, body, contentType, (extension) =>
			fileNameFrom(title, 'song', extension),
		);
	};
}

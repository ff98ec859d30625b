import type { IBinaryData } from 'n8n-workflow';
import { looksLikeWebPage } from '../../shared/errors/errorBody';
import { answerFailure } from '../../shared/errors/errorMessages';
import { detectMediaType } from '../../shared/files/mediaTypes';
import { fileNameFrom, storeFile } from '../../shared/files/storeFile';
import type { AnswerReader } from '../../shared/answer/answerReaders';
import { peek } from '../../shared/answer/byteStream';
import { mediaTypeOf } from '../../shared/answer/headers';
import type { Call } from '../../shared/run/call';
import { allSettledOrThrow } from '../../shared/run/pool';
import type { OutputSettings } from '../fields';
import type { Track } from './tracks';

/** Maximum length of a title in a file name, which leaves room for the track number. */
const MAX_TITLE_LENGTH = 70;

/**
 * Downloads the chosen files of a track at the same time, without credentials, into n8n's binary store.
 *
 * @param number of the track within its task, from 1
 * @param suffix appended to the names of the fields
 * @returns the files by field; a track may have no cover
 * @throws GatewayFailure with the link of the file
 */
export async function filesOf(
	call: Call,
	track: Track,
	number: number,
	{ audioField, coverField }: OutputSettings,
	suffix = '',
): Promise<Record<string, IBinaryData>> {
	const title = `${[...(track.title ?? 'song')].slice(0, MAX_TITLE_LENGTH).join('')} ${number}`;
	const audioUrl = track.audioUrl ?? track.streamAudioUrl;
	if (audioField !== undefined && !audioUrl) throw answerFailure('the track has no audio link');
	const wanted = [
		{ field: audioField, url: audioUrl },
		{ field: coverField, url: track.imageUrl },
	];
	const files = await allSettledOrThrow(
		wanted.flatMap(({ field, url }) =>
			field === undefined || url === undefined
				? []
				: download(call, url, title).then((file) => [`${field}${suffix}`, file] as const),
		),
	);
	return Object.fromEntries(files);
}

function download(call: Call, url: string, title: string): Promise<IBinaryData> {
	const { maxRetries, maxRateLimitRetries, totalMinutes } = call.requestOptions;
	const limits = { maxRetries, maxRateLimitRetries, totalMinutes };
	return call.keepFile([url, title], () => call.client.download(url, storing(call, title), limits));
}

function storing(call: Call, title: string): AnswerReader<IBinaryData> {
	return async (answer) => {
		const contentType = mediaTypeOf(answer);
		const { firstBytes, body } = await peek(answer.body);
		if (firstBytes.length === 0) throw answerFailure('the file is empty');
		// A file server that has lost a file often responds with a web page or a message, and status 200.
		const isText = /json|html/.test(contentType) && !detectMediaType(firstBytes);
		if (isText || looksLikeWebPage(firstBytes.toString('latin1', 0, 1000))) {
			throw answerFailure(`it is ${contentType || 'a web page'} instead of a file`);
		}
		return await storeFile(call, body, contentType, (extension) => fileNameFrom(title, 'song', extension));
	};
}

import { missingPart } from '../plain/headers';
import { answerFailure, downloadFailure, LINK_IS_KEPT } from '../failure/words';
import { withGatewayWords } from '../failure/statusWords';
import { type GatewayFailure, toFailure } from '../failure/failure';
import { paidFor } from '../failure/verdict';
import type { AnswerReader } from '../answer/answerReaders';
import { streamFrom } from '../answer/byteStream';
import { fileOfText, isDataUri } from '../plain/fileText';
import type { StreamKind } from '../plain/budgets';
import { FILE } from './endpoints';
import type { GatewayAddresses } from './addresses';
import type { Gate } from '../plain/turns';
import { type Aside, type Layer, type Send, type RequestOptions, sendingOf } from './layer';

export interface DownloadOptions extends RequestOptions {
	/** Default: `file`. */
	kind?: StreamKind;
}

/** Downloads as many files at once as there is room for. */
export function inTurn(gate: Gate, aside: Aside): Layer {
	return (next) => async (sending, read) => {
		await gate.enter();
		const back = aside();
		try {
			return await next(sending, read);
		} finally {
			gate.leave();
			back();
		}
	};
}

/**
 * Downloads a result file from any host. A path (`link`) is at the gateway's addresses; the other one is tried if
 * nothing answers at the first. A data URI in place of a link is read in the same way (fal, `sync_mode`).
 * @throws GatewayFailure (kind `download`) with the URL in its details, because the file is paid for
 */
export async function download<T>(
	send: Send,
	link: string,
	{ base, alternate = base }: GatewayAddresses,
	read: AnswerReader<T>,
	{ kind = 'file', ...limits }: DownloadOptions,
): Promise<T> {
	const urls = [base, alternate].map((from) => wholeAddress(link, from));
	const [url] = urls;
	const inside = isDataUri(link) ? fileOfText(link) : undefined;
	if (!inside && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))) {
		throw downloadFailure(url, 'the link is not a valid web address');
	}
	try {
		if (inside) {
			const headers = { 'content-type': inside.mimeType };
			return await read({ status: 200, headers, url, body: streamFrom([inside.bytes]) });
		}
		return await send(
			sendingOf({ ...limits, endpoint: FILE, streamed: kind }, [...new Set(urls)]),
			async (answer) => {
				const missing = missingPart(answer.status, answer.headers);
				if (missing) throw answerFailure(`it ${missing}`);
				return await read(answer);
			},
		);
	} catch (error) {
		const failure = toFailure(error);
		if (failure.kind === 'cancelled') throw failure.saying({ advice: LINK_IS_KEPT }, { partial: { url } });
		const isOwn = ['storage', 'bug'].includes(failure.kind);
		if (isOwn) throw paidFor(failure).with({ partial: { url } });
		throw downloadFailure(url, whyNot(failure), failure.facts);
	}
}

/** Returns the whole address of a file, of which Open WebUI gives only the path (presenton#931). */
export function wholeAddress(link: string, base: string): string {
	return URL.canParse(link, base) ? new URL(link, base).href : link;
}

function whyNot(failure: GatewayFailure): string {
	const { status, attempts = 1 } = failure.facts;
	const tried = attempts > 1 ? `, tried ${attempts} times` : '';
	if (failure.kind !== 'answer' && status !== undefined && status >= 300) {
		return withGatewayWords(`status ${status}${tried}`, failure.facts);
	}
	return `${failure.message.charAt(0).toLowerCase()}${failure.message.slice(1)}${tried}`;
}

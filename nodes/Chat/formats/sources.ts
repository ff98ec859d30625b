import { asRecord, textOr } from '../../shared/values';
import type { Fields } from './assembler';

/** A page that an answer is based on. */
export interface Source {
	url: string;
	title?: string;
}

/** The sources of a chat completion: `search_results` and `citations` of Perplexity, `citations` of xAI, `url_citation` of OpenAI and OpenRouter. */
export function chatCompletionSources(body: Fields, message: Fields): Source[] {
	const annotations = listIn(message.annotations).map((annotation) => {
		const fields = asRecord(annotation);
		return fields?.url_citation ?? fields;
	});
	return distinct([...listIn(body.search_results), ...annotations, ...listIn(body.citations)]);
}

/** The sources of a message object: the citations of its texts. */
export function messagesSources(blocks: Fields[]): Source[] {
	return distinct(blocks.flatMap(({ citations }) => listIn(citations)));
}

/** The sources of a candidate: the chunks that its text is grounded in. */
export function generateContentSources(candidate: Fields = {}): Source[] {
	const chunks = listIn(asRecord(candidate.groundingMetadata)?.groundingChunks);
	return distinct(
		chunks.map((chunk) => {
			const { uri, title } = asRecord(asRecord(chunk)?.web) ?? {};
			return { url: uri, title };
		}),
	);
}

function listIn(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Each address once, with its title where one of the entries has one. */
function distinct(entries: unknown[]): Source[] {
	const titles = new Map<string, string>();
	for (const entry of entries) {
		const { url, title } = typeof entry === 'string' ? { url: entry } : (asRecord(entry) ?? {});
		const address = textOr(url);
		if (address !== '') titles.set(address, titles.get(address) || textOr(title));
	}
	return [...titles].map(([url, title]) => (title === '' ? { url } : { url, title }));
}

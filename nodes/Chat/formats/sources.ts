import { asRecord, textOr } from '../../shared/plain/values';
import type { Fields } from './assembler';

/** A page that an answer is based on. */
export interface Source {
	url: string;
	title?: string;
}

/**
 * The sources of a chat completion: `search_results` and `citations` of Perplexity, `citations` of xAI, `references` of
 * Volcengine, `web_search` of Zhipu, `search_info` of Hunyuan, `url_citation` of OpenAI and OpenRouter, and those in the
 * messages of Azure (`context`), Groq (`executed_tools`), and LiteLLM (`provider_specific_fields`).
 */
export function chatCompletionSources(body: Fields, message: Fields): Source[] {
	const annotations = listIn(message.annotations).map((annotation) => {
		const fields = asRecord(annotation);
		return fields?.url_citation ?? fields;
	});
	const searches = listIn(message.executed_tools).map((tool) => asRecord(tool)?.search_results);
	return distinct(
		[
			...[body.search_results, body.references, body.web_search, listOf(body.search_info, 'search_results')],
			annotations,
			listOf(message.context, 'citations'),
			listOf(message.provider_specific_fields, 'citations').flat(),
			...searches.map((search) => listOf(search, 'results')),
			body.citations,
		].flatMap(listIn),
	);
}

/** The sources of a message object: the citations of its texts. */
export function messagesSources(blocks: Fields[]): Source[] {
	return distinct(blocks.flatMap(({ citations }) => listIn(citations)));
}

/** The sources of a candidate: the chunks that its text is grounded in, and the pages that it cites. */
export function generateContentSources({
	groundingMetadata,
	citationMetadata: cited,
}: Fields = {}): Source[] {
	const chunks = listOf(groundingMetadata, 'groundingChunks').map((chunk) => {
		const { web, retrievedContext, maps } = asRecord(chunk) ?? {};
		return web ?? retrievedContext ?? maps;
	});
	return distinct([...chunks, ...listOf(cited, 'citationSources'), ...listOf(cited, 'citations')]);
}

function listOf(fields: unknown, name: string): unknown[] {
	return listIn(asRecord(fields)?.[name]);
}

function listIn(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Each address once, with its title where one of the entries has one. */
function distinct(entries: unknown[]): Source[] {
	const titles = new Map<string, string>();
	for (const entry of entries) {
		const { url, link, uri, title } = asRecord(entry) ?? { url: entry };
		const address = [url, link, uri].map((one) => textOr(one)).find((one) => one !== '') ?? '';
		if (address !== '') titles.set(address, titles.get(address) || textOr(title));
	}
	return [...titles].map(([url, title]) => (title === '' ? { url } : { url, title }));
}

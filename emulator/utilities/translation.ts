import { languages } from './data/languages';
import type { Call, Endpoint } from './endpoint';
import { detectLanguage, pronunciation, pseudoTranslate } from './pseudoTranslation';
import { type Answer, describe, jsonOnly, Refusal } from './reply';

const labels = new Map(languages.map(({ code, label }) => [code, label]));

function translate({ parameters }: Call): Answer {
	const { text } = parameters.required('text');
	const asked = { from: parameters.text('from', 'auto'), to: parameters.text('to', 'auto') };
	if (Object.values(asked).some((code) => code !== 'auto' && !labels.has(code))) {
		throw new Refusal(400, 400, '不支持的语言类型，请通过 /fanyi/langs 接口查询支持的语言类型');
	}
	const from = asked.from === 'auto' ? detectLanguage(text) : asked.from;
	const to = asked.to === 'auto' ? (from === 'zh-CHS' ? 'en' : 'zh-CHS') : asked.to;
	const side = (content: string, type: string) => ({
		text: content,
		type,
		type_desc: labels.get(type) ?? '',
		pronounce: pronunciation(content),
	});
	const data = { source: side(text, from), target: side(pseudoTranslate(text, from, to), to) };
	return describe(
		data,
		() => data.target.text,
		() =>
			`# 翻译结果\n\n## 原文 (${data.source.type_desc})\n\n> ${text}\n\n` +
			`## 译文 (${data.target.type_desc})\n\n> ${data.target.text}\n\n*发音: ${data.target.pronounce}*`,
	);
}

/** Group Translation: a translation and the list of its languages. */
export const translationEndpoints: Endpoint[] = [
	{ path: '/fanyi', example: '/fanyi?text=hello&to=zh-CHS', answer: translate },
	{ path: '/fanyi/langs', answer: () => jsonOnly(languages) },
];

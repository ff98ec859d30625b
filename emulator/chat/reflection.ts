import { excerpt, isMostlyEastAsian } from '../text';
import { lastUserText, type Question, toolResults } from './conversation';
import { termsOf } from './terms';

const maxAnswerLength = 60_000;

const english = {
	result: (tool: string, result: string) => `The tool ${tool} reports: ${result}.`,
	openings: [
		(about: string) => `Here is a short answer to "${about}".`,
		(about: string) => `Let us look at "${about}" step by step.`,
		(about: string) => `You asked: "${about}". This is how I see it.`,
	],
	terms: (terms: string[]) => `What matters here is ${terms.join(', ')}.`,
	earlier: (text: string) => `It follows on from what you said before: "${text}".`,
	images: (count: number) =>
		count === 1 ? 'I have looked at the image.' : `I have looked at the ${count} images.`,
	files: (count: number) => (count === 1 ? 'I have read the file.' : `I have read the ${count} files.`),
	system: (text: string) => `I keep to the instruction: "${text}".`,
	closing: 'Tell me which part you would like to go into further.',
	more: [
		(term: string) => `Start with ${term}, because the rest depends on it.`,
		(term: string) => `A common mistake is to treat ${term} as a detail.`,
		(term: string) => `In practice, ${term} is easiest to judge by an example.`,
		(term: string) => `Compare ${term} with what you had before, and keep what works.`,
	],
	nothing: 'this',
	join: ' ',
};

const chinese: typeof english = {
	result: (tool, result) => `工具 ${tool} 的结果是：${result}。`,
	openings: [
		(about) => `关于“${about}”，简要回答如下。`,
		(about) => `我们一步一步来看“${about}”。`,
		(about) => `您问的是“${about}”，我的看法是这样的。`,
	],
	terms: (terms) => `这里的关键是${terms.join('、')}。`,
	earlier: (text) => `这也承接了您之前所说的“${text}”。`,
	images: (count) => `我已经看过这 ${count} 张图片。`,
	files: (count) => `我已经读过这 ${count} 个文件。`,
	system: (text) => `我遵循的要求是：“${text}”。`,
	closing: '如果想深入了解其中某一部分，请告诉我。',
	more: [
		(term) => `先从${term}入手，因为其余的都取决于它。`,
		(term) => `常见的误区是把${term}当成细枝末节。`,
		(term) => `实际上，通过例子最容易看清${term}。`,
		(term) => `把${term}与以往的做法比较，留下有效的部分。`,
	],
	nothing: '这件事',
	join: '',
};

/** Returns the number of characters that the user asks for, for example with "in 300 words"; 0 if unspecified. */
function askedLength(text: string): number {
	const asked = /(\d[\d,]*)[\s-]*(words?|characters?|个?字)/i.exec(text);
	if (!asked) return 0;
	const count = Number(asked[1].replaceAll(',', ''));
	const charactersPerUnit = /^word/i.test(asked[2]) ? 6 : 1;
	return Math.min(maxAnswerLength, count * charactersPerUnit);
}

/** An answer that quotes the question, the previous message, the system text and tool results, and mentions images and files. */
export function reflectionOn(question: Question): string {
	const asked = lastUserText(question);
	const wording = isMostlyEastAsian(asked) ? chinese : english;
	const users = question.turns.filter(({ role }) => role === 'user');
	const images = question.model.vision ? (users.at(-1)?.images ?? 0) : 0;
	const earlier = users.at(-2)?.text;
	const terms = termsOf(asked);
	const opening = wording.openings[[...asked].length % wording.openings.length];

	const sentences = toolResults(question).map(({ toolName, text }) =>
		wording.result(toolName ?? 'function', excerpt(text, 400)),
	);
	sentences.push(opening(excerpt(asked, 80)));
	if (images > 0) sentences.push(wording.images(images));
	const files = users.at(-1)?.files ?? 0;
	if (files > 0) sentences.push(wording.files(files));
	if (terms.length > 0) sentences.push(wording.terms(terms));
	if (earlier) sentences.push(wording.earlier(excerpt(earlier, 60)));
	if (question.system) sentences.push(wording.system(excerpt(question.system, 80)));

	const length = askedLength(asked);
	const subjects = terms.length > 0 ? terms : [wording.nothing];
	let written = sentences.join(wording.join).length;
	for (let index = 0; written < length; index++) {
		const sentence = wording.more[index % wording.more.length](subjects[index % subjects.length]);
		sentences.push(sentence);
		written += sentence.length + wording.join.length;
	}
	return [...sentences, wording.closing].join(wording.join);
}

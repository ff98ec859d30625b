/** A question about a surprising piece of JavaScript. */
export interface JsQuirk {
	question: string;
	code: string;
	options: readonly [string, string, string, string];
	answer: 'A' | 'B' | 'C' | 'D';
	explanation: string;
}

const ask = '输出是什么？';

/** The questions; ids are positions, starting at 1. Every answer was checked by running the code. */
export const jsQuirks: readonly JsQuirk[] = [
	{
		question: ask,
		code: 'console.log(typeof null);',
		options: ['A: "null"', 'B: "object"', 'C: "undefined"', 'D: TypeError'],
		answer: 'B',
		explanation: '历史遗留问题：null 的类型标签与对象相同，typeof 返回 "object"。',
	},
	{
		question: ask,
		code: 'console.log(0.1 + 0.2 === 0.3);',
		options: ['A: true', 'B: false', 'C: NaN', 'D: undefined'],
		answer: 'B',
		explanation: '二进制浮点数无法精确表示 0.1 和 0.2，和为 0.30000000000000004。',
	},
	{
		question: ask,
		code: 'console.log([] + []);',
		options: ['A: []', 'B: "[]"', 'C: 空字符串', 'D: NaN'],
		answer: 'C',
		explanation: '两个数组都先转换为空字符串，再相连。',
	},
	{
		question: ask,
		code: "console.log(['1', '2', '3'].map(parseInt));",
		options: ['A: [1, 2, 3]', 'B: [1, NaN, NaN]', 'C: [NaN, NaN, NaN]', 'D: ["1", "2", "3"]'],
		answer: 'B',
		explanation: 'map 把索引作为第二个参数传入，parseInt 把它当作进制。',
	},
	{
		question: ask,
		code: 'console.log([10, 9, 1].sort());',
		options: ['A: [1, 9, 10]', 'B: [10, 9, 1]', 'C: [1, 10, 9]', 'D: [9, 10, 1]'],
		answer: 'C',
		explanation: 'sort 默认按字符串比较，"10" 排在 "9" 之前。',
	},
	{
		question: ask,
		code: 'for (var i = 0; i < 3; i++) setTimeout(() => console.log(i));',
		options: ['A: 0 1 2', 'B: 3 3 3', 'C: 2 2 2', 'D: undefined'],
		answer: 'B',
		explanation: 'var 没有块级作用域，回调执行时 i 已经是 3。',
	},
	{
		question: ask,
		code: 'console.log(NaN === NaN, Object.is(NaN, NaN));',
		options: ['A: true true', 'B: false false', 'C: false true', 'D: true false'],
		answer: 'C',
		explanation: 'NaN 不等于自身，而 Object.is 把两个 NaN 视为相同。',
	},
	{
		question: ask,
		code: "console.log('5' - 2, '5' + 2);",
		options: ['A: 3 "52"', 'B: 3 7', 'C: "52" "52"', 'D: NaN "52"'],
		answer: 'A',
		explanation: '减号把字符串转换为数字，加号遇到字符串则相连。',
	},
	{
		question: ask,
		code: 'console.log(Math.max(), Math.min());',
		options: ['A: 0 0', 'B: -Infinity Infinity', 'C: Infinity -Infinity', 'D: NaN NaN'],
		answer: 'B',
		explanation: '没有参数时返回各自比较的初始值。',
	},
	{
		question: ask,
		code: 'console.log([..."\\u{1F600}"].length, "\\u{1F600}".length);',
		options: ['A: 1 1', 'B: 2 2', 'C: 1 2', 'D: 2 1'],
		answer: 'C',
		explanation: '展开按码点计数，length 按 UTF-16 编码单元计数。',
	},
];

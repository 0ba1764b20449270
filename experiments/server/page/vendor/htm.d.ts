import { h } from "preact";
declare const htm: { bind(create: typeof h): (strings: TemplateStringsArray, ...values: any[]) => any };
export default htm;

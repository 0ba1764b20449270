// Azul played to the end on the page.
import { playAll } from "./played.js";

playAll("Azul");

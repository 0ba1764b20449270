// Queen's Garden played to the end on the page.
import { playAll } from "./played.js";

playAll("Azul: Queen's Garden");

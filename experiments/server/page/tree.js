// A game with its branches: a tree of moves. What it holds is never changed in place, so that a screen notices.

/** @typedef {{move: string, parent: number, children: number[]}} Node */
/** @typedef {{course: Course, nodes: Node[]}} Tree the course without its moves, and node 0, where it begins */

/** @param {Course} course @returns {Tree} whose main line is the course */
export function treeOf(course) {
  const nodes = [{ move: "", parent: -1, children: course.moves.length ? [1] : [] }];
  course.moves.forEach((move, i) => nodes.push({ move, parent: i, children: i + 1 < course.moves.length ? [i + 2] : [] }));
  return { course: { ...course, moves: [] }, nodes };
}

/** The nodes from the beginning to this one, without node 0. @param {Tree} tree @param {number} at */
export function pathTo(tree, at) {
  const path = [];
  for (let id = at; id > 0; id = tree.nodes[id].parent) path.unshift(id);
  return path;
}

/** The line through a node: the path to it, and on by the first children. @param {Tree} tree @param {number} at */
export function lineThrough(tree, at) {
  const line = pathTo(tree, at);
  for (let next = tree.nodes[at].children[0]; next; next = tree.nodes[next].children[0]) line.push(next);
  return line;
}

/** The course up to a node. @param {Tree} tree @param {number} at @returns {Course} */
export const courseTo = (tree, at) => ({ ...tree.course, moves: pathTo(tree, at).map((id) => tree.nodes[id].move) });

/**
 * Plays moves from a node, along what is there and by new branches.
 * @param {Tree} tree
 * @param {number} at
 * @param {string[]} moves
 * @returns {{tree: Tree, at: number}}
 */
export function withMoves(tree, at, moves) {
  const nodes = [...tree.nodes];
  let now = at;
  for (const move of moves) {
    let child = nodes[now].children.find((id) => nodes[id].move === move);
    if (!child) {
      child = nodes.length;
      nodes.push({ move, parent: now, children: [] });
      nodes[now] = { ...nodes[now], children: [...nodes[now].children, child] };
    }
    now = child;
  }
  return { tree: { ...tree, nodes }, at: now };
}

/** Makes the branch with this node the first everywhere on its path. @param {Tree} tree @param {number} at @returns {Tree} */
export function promoted(tree, at) {
  const nodes = [...tree.nodes];
  for (const id of pathTo(tree, at)) {
    const parent = nodes[id].parent;
    nodes[parent] = { ...nodes[parent], children: [id, ...nodes[parent].children.filter((child) => child !== id)] };
  }
  return { ...tree, nodes };
}
